// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/backend.h"
#include "base/uuid.h"
#include "idmap/bases.h"

namespace sbx::backends {

void describe(Members& members, MachineSpec& spec) {
  members.required("id", spec.id);
  members.required("name", spec.name);
  members.required("hostname", spec.hostname);
  members.required("backend", spec.backend);
  members.required("state_directory", spec.state_directory);
  members.optional("template_image", spec.template_image);
  members.optional("template_layers", spec.template_layers);
  members.required("init_program", spec.init_program);
  members.optional("cache_directory", spec.cache_directory);
  members.optional("kernel", spec.settings.kernel);
  members.optional("modules", spec.settings.modules);
  members.optional("mounts", spec.mounts);
  members.optional("hidden", spec.hidden);
  members.optional("limits", spec.limits);
  members.sparse("docker", spec.features.docker);
  members.optional("id_base", spec.id_base);
  members.optional("agent_uid", spec.agent.uid);
  members.optional("agent_gid", spec.agent.gid);
  // The id names control groups and runtime state.
  members.check(is_uuid(spec.id), "\"id\" is no id of a sandbox");
  members.check(spec.id_base == 0 || idmap::is_base(spec.id_base),
                "\"id_base\" does not begin a range of a sandbox's ids");
  members.check(spec.agent.uid != UINT32_MAX, "\"agent_uid\" is out of range");
  members.check(spec.agent.gid != UINT32_MAX, "\"agent_gid\" is out of range");
}

void describe(Members& members, Check& check) {
  members.required("name", check.name);
  members.required("status", check.status);
  members.required("message", check.message);
  members.sparse("hint", check.hint);
}

}  // namespace sbx::backends
