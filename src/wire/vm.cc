// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/vm.h"

namespace sbx::wire {

void describe(Members& members, VmSummary& summary) {
  members.required("vm_id", summary.id);
  members.required("vm_name", summary.name);
  members.required("agent_name", summary.agent);
  members.required("workspace_dir", summary.workspace);
}

void describe(Members& members, VmRequest& request) {
  members.required("agent_name", request.agent);
  members.required("workspace_dir", request.workspace);
}

void describe(Members& members, VmConfig& config) {
  members.required("socketPath", config.socket);
  members.required("fileSharingDirectories", config.shared_directories);
  members.required("stateDir", config.state_directory);
  members.required("assetDir", config.asset_directory);
}

void describe(Members& members, Vm& vm) {
  members.required("vm_id", vm.id);
  members.required("vm_name", vm.name);
  members.required("vm_config", vm.config);
  members.required("ca_cert_path", vm.certificate_path);
  members.required("ca_cert_data", vm.certificate);
}

}  // namespace sbx::wire
