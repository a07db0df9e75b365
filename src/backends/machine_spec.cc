// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/backend.h"

namespace sbx::backends {
namespace {

std::uint32_t decode_id(Fields& fields, const char* name) {
  const std::int64_t id = fields.integer(name, 0);
  if (id < 0 || id >= INT64_C(0xffffffff)) fields.reject("\"" + std::string(name) + "\" is out of range");
  return static_cast<std::uint32_t>(id);
}

}  // namespace

Result<MachineSpec> decode_machine_spec(const Json& json) {
  Fields fields(json, "machine");
  MachineSpec spec;
  spec.id = fields.text("id");
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
  const std::int64_t base = fields.integer("id_base", 0);
  if (base < 0 || base > INT64_C(0xfffe0000)) fields.reject("\"id_base\" is out of range");
  spec.id_base = static_cast<std::uint32_t>(base);
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
