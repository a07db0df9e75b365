// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "cli/client/client.h"
#include "wire/secret.h"

// The daemon's secrets as typed calls.
namespace sbx::cli {

Result<wire::SecretList> list_secrets(const Client& client);
Result<> add_secret(const Client& client, const wire::SecretAdd& request);
Result<> remove_secret(const Client& client, const std::string& name);
Result<wire::LeasedSecret> lease_secret(const Client& client, const std::string& name,
                                        const wire::LeaseRequest& request);
Result<wire::LeaseList> list_leases(const Client& client);
Result<> revoke_lease(const Client& client, const std::string& lease);
Result<wire::RevokedLeases> revoke_all_leases(const Client& client);
Result<wire::BindingList> list_bindings(const Client& client);
Result<wire::Binding> bind_secret(const Client& client, const wire::BindRequest& request);
Result<> unbind_secret(const Client& client, const std::string& binding);
Result<wire::AuditTail> get_audit(const Client& client, const std::string& tail);
Result<wire::AuditReport> verify_audit(const Client& client);
Result<wire::SecretsStatus> get_secrets_status(const Client& client);
Result<wire::SandboxCredentials> get_credentials(const Client& client, const std::string& sandbox);

}  // namespace sbx::cli
