// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// The vendor's endpoints, with the vendor's names.
#include <openssl/evp.h>

#include "api/body.h"
#include "api/handlers.h"
#include "api/request_key.h"
#include "base/file.h"

namespace sbx::api {
namespace {

std::string primary_workspace(const wire::SandboxInfo& info) {
  return info.workspaces.empty() ? std::string() : info.workspaces.front().source;
}

Result<wire::CreateRequest> decode_vm_request(const Json& json) {
  Fields fields(json, "vm");
  wire::CreateRequest request;
  request.agent = fields.text("agent_name");
  const std::string workspace = fields.text("workspace_dir");
  TRY(fields.finish());
  request.name = request.agent + "-vm";
  request.workspaces = {{workspace, workspace, false}};
  request.reuse = true;
  return request;
}

std::string base64(const std::string& bytes) {
  std::string out(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int size =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  out.resize(static_cast<std::size_t>(size));
  return out;
}

Result<Json> encode_vm(const wire::SandboxInfo& info, const std::string& user_home) {
  const std::string certificate_path = info.state_directory + "/proxy_cacerts/proxy-ca.crt";
  TRY_ASSIGN(const std::string certificate, read_file(certificate_path));
  Json directories = Json::array();
  for (const auto& workspace : info.workspaces) directories.push_back(workspace.source);
  return Json{{"vm_id", info.id},
              {"vm_name", info.name},
              {"vm_config",
               {{"socketPath", info.state_directory + "/docker.sock"},
                {"fileSharingDirectories", directories},
                {"stateDir", info.state_directory},
                {"assetDir", user_home + "/.container-platform"}}},
              {"ca_cert_path", certificate_path},
              {"ca_cert_data", base64(certificate)}};
}

}  // namespace

Result<Answer> list_vms(Services& services, Call& call) {
  TRY(check_bare(call.request));
  Json list = Json::array();
  for (const auto& info : services.sandboxes.registry.list())
    list.push_back({{"vm_id", info.id},
                    {"vm_name", info.name},
                    {"agent_name", info.agent},
                    {"workspace_dir", primary_workspace(info)}});
  return json_response(200, list);
}

Result<Answer> create_vm(Services& services, Call& call) {
  TRY_ASSIGN(const Json body, json_body(call.request));
  TRY_ASSIGN(const auto request, decode_vm_request(body));
  TRY_ASSIGN(const auto key, request_key(call.request));
  TRY_ASSIGN(const auto created, services.sandboxes.creation.create(request, {}, key));
  TRY_ASSIGN(const auto started, services.sandboxes.lifecycle.start(created.name));
  TRY_ASSIGN(const Json answer, encode_vm(started, services.user_home));
  return json_response(created.created ? 201 : 200, answer);
}

Result<Answer> delete_vm(Services& services, Call& call) { return delete_sandbox(services, call); }

}  // namespace sbx::api
