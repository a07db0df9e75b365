// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/backend.h"
#include "base/uuid.h"
#include "idmap/bases.h"

namespace sbx::backends {
namespace {

std::uint32_t decode_id(Fields& fields, const char* name) {
  const std::int64_t id = fields.integer(name, 0);
  if (id < 0 || id >= INT64_C(0xffffffff)) fields.reject("\"" + std::string(name) + "\" is out of range");
  return static_cast<std::uint32_t>(id);
}

// It names control groups and runtime state.
std::string decode_uuid(Fields& fields) {
  std::string id = fields.text("id");
  if (!is_uuid(id)) fields.reject("\"id\" is no id of a sandbox");
  return id;
}

std::uint32_t decode_base(Fields& fields) {
  const std::uint32_t base = decode_id(fields, "id_base");
  if (base != 0 && !idmap::is_base(base)) fields.reject("\"id_base\" does not begin a range of a sandbox's ids");
  return base;
}

}  // namespace

Result<MachineSpec> decode_machine_spec(const Json& json) {
  Fields fields(json, "machine");
  MachineSpec spec;
  spec.id = decode_uuid(fields);
  spec.name = fields.text("name");
  spec.hostname = fields.text("hostname");
  spec.backend = fields.text("backend");
  spec.state_directory = fields.text("state_directory");
  spec.template_root = fields.text("template_root");
  spec.init_program = fields.text("init_program");
  spec.cache_directory = fields.text("cache_directory", "");
  spec.settings.kernel = fields.text("kernel", "");
  spec.settings.modules = fields.text("modules", "");
  spec.mounts = wire::decode_mounts(fields, "mounts");
  spec.hidden = fields.texts("hidden");
  spec.limits = wire::decode_limits(fields);
  spec.id_base = decode_base(fields);
  spec.agent.uid = decode_id(fields, "agent_uid");
  spec.agent.gid = decode_id(fields, "agent_gid");
  TRY(fields.finish());
  return spec;
}

Json encode(const MachineSpec& spec) {
  return {{"id", spec.id},
          {"name", spec.name},
          {"hostname", spec.hostname},
          {"backend", spec.backend},
          {"state_directory", spec.state_directory},
          {"template_root", spec.template_root},
          {"init_program", spec.init_program},
          {"cache_directory", spec.cache_directory},
          {"kernel", spec.settings.kernel},
          {"modules", spec.settings.modules},
          {"mounts", wire::encode_mounts(spec.mounts)},
          {"hidden", spec.hidden},
          {"limits", wire::encode_limits(spec.limits)},
          {"id_base", spec.id_base},
          {"agent_uid", spec.agent.uid},
          {"agent_gid", spec.agent.gid}};
}

}  // namespace sbx::backends
