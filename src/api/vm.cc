// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// The vendor's endpoints, with the vendor's names.
#include "wire/vm.h"

#include "api/body.h"
#include "api/handlers.h"
#include "api/request_key.h"
#include "base/base64.h"
#include "base/file.h"

namespace sbx::api {
namespace {

std::string primary_workspace(const wire::SandboxInfo& info) {
  return info.workspaces.empty() ? std::string() : info.workspaces.front().source;
}

wire::CreateRequest create_request_of(const wire::VmRequest& vm) {
  wire::CreateRequest request;
  request.agent = vm.agent;
  request.name = vm.agent + "-vm";
  request.workspaces = {{vm.workspace, vm.workspace, false}};
  request.reuse = request.start = true;
  return request;
}

Result<wire::Vm> vm_of(const wire::SandboxInfo& info, const std::string& user_home) {
  wire::Vm vm{.id = info.id,
              .name = info.name,
              .config = {.socket = info.state_directory + "/docker.sock",
                         .shared_directories = {},
                         .state_directory = info.state_directory,
                         .asset_directory = user_home + "/.container-platform"},
              .certificate_path = info.state_directory + "/proxy_cacerts/proxy-ca.crt",
              .certificate = ""};
  for (const auto& workspace : info.workspaces) vm.config.shared_directories.push_back(workspace.source);
  TRY_ASSIGN(const std::string certificate, read_file(vm.certificate_path));
  vm.certificate = base64(certificate);
  return vm;
}

}  // namespace

Result<Answer> list_vms(Services& services, Call& call) {
  TRY(check_bare(call.request));
  Json list = Json::array();
  for (const auto& info : services.sandboxes.registry.list())
    list.push_back(json_of(wire::VmSummary{info.id, info.name, info.agent, primary_workspace(info)}));
  return json_response(200, list);
}

Result<Answer> create_vm(Services& services, Call& call) {
  TRY_ASSIGN(const auto request, body_as<wire::VmRequest>(call.request, "vm"));
  TRY_ASSIGN(const auto key, request_key(call.request));
  TRY_ASSIGN(const auto created, services.sandboxes.creation.create(create_request_of(request), {}, key));
  TRY_ASSIGN(const auto vm, vm_of(created, services.user_home));
  return json_response(created.created ? 201 : 200, json_of(vm));
}

Result<Answer> delete_vm(Services& services, Call& call) { return delete_sandbox(services, call); }

}  // namespace sbx::api
