// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/backend.h"

namespace sbx::backends {

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
  for (const Json* item : fields.list("mounts")) {
    Fields mount(*item, "mount");
    spec.mounts.push_back({mount.text("source"), mount.text("target"), mount.boolean("readonly", false)});
    TRY(mount.finish());
  }
  spec.limits.cpus = fields.number("cpus", 0);
  spec.limits.memory = fields.integer("memory", 0);
  spec.limits.pids = fields.integer("pids", 0);
  const std::int64_t base = fields.integer("id_base", 0);
  if (base < 0 || base > INT64_C(0xfffe0000)) fields.reject("\"id_base\" is out of range");
  spec.id_base = static_cast<std::uint32_t>(base);
  TRY(fields.finish());
  return spec;
}

Json encode(const MachineSpec& spec) {
  Json mounts = Json::array();
  for (const auto& mount : spec.mounts)
    mounts.push_back({{"source", mount.source}, {"target", mount.target}, {"readonly", mount.readonly}});
  return {{"id", spec.id},
          {"name", spec.name},
          {"hostname", spec.hostname},
          {"backend", spec.backend},
          {"state_directory", spec.state_directory},
          {"template_root", spec.template_root},
          {"init_program", spec.init_program},
          {"mounts", mounts},
          {"cpus", spec.limits.cpus},
          {"memory", spec.limits.memory},
          {"pids", spec.limits.pids},
          {"id_base", spec.id_base}};
}

}  // namespace sbx::backends
