// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/client/secrets.h"

#include "base/value.h"

namespace sbx::cli {
namespace {

// An empty segment would name the collection, not a member of it.
Result<Client::Path> path_to_member(const char* collection, const std::string& name) {
  if (name.empty()) return fail(Code::kInvalid, "the name is empty");
  return Client::Path{collection, name};
}

template <Described T>
Result<T> value_at(const Client& client, const Client::Path& path, const char* what, const Client::Query& query = {}) {
  TRY_ASSIGN(const Json json, client.get(path, query));
  return value_of<T>(json, what, Unknown::kIgnored);
}

}  // namespace

Result<wire::SecretList> list_secrets(const Client& client) {
  return value_at<wire::SecretList>(client, {"secrets"}, "list of secrets");
}

Result<> add_secret(const Client& client, const wire::SecretAdd& request) {
  TRY(client.post({"secrets"}, json_of(request)));
  return Ok{};
}

Result<> remove_secret(const Client& client, const std::string& name) {
  TRY_ASSIGN(const Client::Path path, path_to_member("secrets", name));
  TRY(client.remove(path));
  return Ok{};
}

Result<wire::LeasedSecret> lease_secret(const Client& client, const std::string& name,
                                        const wire::LeaseRequest& request) {
  TRY_ASSIGN(Client::Path path, path_to_member("secrets", name));
  path.emplace_back("lease");
  TRY_ASSIGN(const Json json, client.post(path, json_of(request)));
  return value_of<wire::LeasedSecret>(json, "lease", Unknown::kIgnored);
}

Result<wire::LeaseList> list_leases(const Client& client) {
  return value_at<wire::LeaseList>(client, {"leases"}, "list of leases");
}

Result<> revoke_lease(const Client& client, const std::string& lease) {
  TRY_ASSIGN(const Client::Path path, path_to_member("leases", lease));
  TRY(client.remove(path));
  return Ok{};
}

Result<wire::RevokedLeases> revoke_all_leases(const Client& client) {
  TRY_ASSIGN(const Json json, client.remove({"leases"}));
  return value_of<wire::RevokedLeases>(json, "leases", Unknown::kIgnored);
}

Result<wire::BindingList> list_bindings(const Client& client) {
  return value_at<wire::BindingList>(client, {"bindings"}, "list of bindings");
}

Result<wire::Binding> bind_secret(const Client& client, const wire::BindRequest& request) {
  TRY_ASSIGN(const Json json, client.post({"bindings"}, json_of(request)));
  return value_of<wire::Binding>(json, "binding", Unknown::kIgnored);
}

Result<> unbind_secret(const Client& client, const std::string& binding) {
  TRY_ASSIGN(const Client::Path path, path_to_member("bindings", binding));
  TRY(client.remove(path));
  return Ok{};
}

Result<wire::AuditTail> get_audit(const Client& client, const std::string& tail) {
  return value_at<wire::AuditTail>(client, {"secrets", "audit"}, "audit log", {{"tail", tail}});
}

Result<wire::AuditReport> verify_audit(const Client& client) {
  return value_at<wire::AuditReport>(client, {"secrets", "audit", "verify"}, "audit report");
}

Result<wire::SecretsStatus> get_secrets_status(const Client& client) {
  return value_at<wire::SecretsStatus>(client, {"secrets", "status"}, "status of secrets");
}

Result<wire::SandboxCredentials> get_credentials(const Client& client, const std::string& sandbox) {
  return value_at<wire::SandboxCredentials>(client, {"sandboxes", sandbox, "credentials"}, "credentials");
}

}  // namespace sbx::cli
