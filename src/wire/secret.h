// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/members.h"

// Secrets, leases, bindings and the audit log as the API shows them. Times are RFC 3339 in UTC with milliseconds, so
// that they compare as text. A value is in SecretAdd, on its way in, and in LeasedSecret, and in nothing else.
namespace sbx::wire {

// Is in every placeholder that a guest has for a token of a login.
inline constexpr const char* kManagedByTheProxy = "managed-by-the-proxy";

struct SecretAdd {
  std::string name;
  std::string value;
  bool update = false;  // one of that name is overwritten
};

struct SecretInfo {
  std::string name;
  std::string service;  // that uses it by its name; empty: it needs a binding
  std::string created_at;
  std::string updated_at;
  std::string token_expires_at{};  // of a login that is refreshed; empty: it does not expire, or does not say
  std::string refresh_problem{};   // why the last refresh of it failed
};
struct SecretList {
  std::vector<SecretInfo> secrets;
};

struct LeaseRequest {
  std::int64_t ttl_s = 0;  // 0: an hour
  std::string client_id;
};
// A value was given to a client, or stands ready in a sandbox's vault, until then.
struct LeaseInfo {
  std::string lease_id;
  std::string secret_name;
  std::string client_id;
  std::string created_at;
  std::string expires_at;
  std::string sandbox_id;  // of a lease that a sandbox has; the daemon renews it
  bool revoked = false;    // only of a sandbox: it does not get another one until it is started again
};
struct LeaseList {
  std::vector<LeaseInfo> leases;
};
struct LeasedSecret {
  std::string lease_id;
  std::string secret_name;
  std::string value;
  std::string client_id;
  std::string expires_at;
  std::int64_t ttl = 0;  // in seconds
};
struct RevokedLeases {
  std::int64_t revoked = 0;
};

// Which requests get a secret: those to the hosts of a service of the table (src/secrets/services.cc), or to hosts of
// the user's choice, in a field of the user's choice.
struct Binding {
  std::string id;
  std::string secret;
  std::string service;
  std::vector<std::string> hosts;
  std::string header;      // "X-Key"
  std::string format;      // of the field's value; {} stands for the secret
  std::string variable;    // that the guest gets, with the placeholder as its value; empty: none
  std::string sandbox;     // empty: every one
  std::string sandbox_id;  // so that a later sandbox of that name does not have it
  std::string expires_at;  // empty: never
};
struct BindRequest {
  std::string secret;
  std::string service;
  std::vector<std::string> hosts;
  std::string header;
  std::string format;
  std::string variable;
  std::string sandbox;
  std::int64_t ttl_s = 0;  // 0: for good
};
struct BindingList {
  std::vector<Binding> bindings;
};

enum class AuditAction {
  kUnknown,
  kSecretAdd,
  kSecretUpdate,
  kSecretDelete,
  kLeaseAcquire,
  kLeaseRevoke,
  kLeaseExpire,
  kRevokeAll,
  kBind,
  kUnbind,
  kTokenRefresh,
  kSshSign
};
constexpr auto choices(AuditAction) {
  return std::to_array<Choice<AuditAction>>({{AuditAction::kUnknown, "unknown"},
                                             {AuditAction::kSecretAdd, "secret_add"},
                                             {AuditAction::kSecretUpdate, "secret_update"},
                                             {AuditAction::kSecretDelete, "secret_delete"},
                                             {AuditAction::kLeaseAcquire, "lease_acquire"},
                                             {AuditAction::kLeaseRevoke, "lease_revoke"},
                                             {AuditAction::kLeaseExpire, "lease_expire"},
                                             {AuditAction::kRevokeAll, "revoke_all"},
                                             {AuditAction::kBind, "bind"},
                                             {AuditAction::kUnbind, "unbind"},
                                             {AuditAction::kTokenRefresh, "token_refresh"},
                                             {AuditAction::kSshSign, "ssh_sign"}});
}
struct AuditEntry {
  std::int64_t line = 0;
  std::string timestamp;
  AuditAction action = AuditAction::kUnknown;
  std::string secret_name;
  std::string client_id;
  std::string lease_id;
  std::string details;
  bool success = true;
};
struct AuditTail {
  std::vector<AuditEntry> entries;
};
struct AuditReport {
  bool intact = false;
  std::int64_t lines = 0;    // that were looked at and are as they were written
  std::int64_t problem = 0;  // the first line that was changed or is missing; 0: none
  std::string reason;
};

struct SecretsStatus {
  std::string directory;
  std::string key;    // where the key is: "file", "keyring"; empty: there is no store yet
  std::string error;  // why the store cannot be used
  std::int64_t secrets = 0;
  std::int64_t leases = 0;
  std::int64_t bindings = 0;
  std::vector<std::string> problems;  // of logins that could not be refreshed
};

// What requests of one sandbox get. Its value is told to the sandbox's vault only.
struct SandboxCredential {
  std::string service;  // or the custom binding's secret
  std::string source;   // "secret NAME", "secret NAME, bound to the sandbox", "variable NAME of the daemon"
  std::vector<std::string> hosts;
  std::string header;
  std::vector<std::string> variables;  // that programs in the guest have, with a placeholder
  std::string lease_id;
  std::string expires_at;
  std::string state;  // "ready", or why requests that need it are refused
};
struct SandboxCredentials {
  std::vector<SandboxCredential> credentials;
};

void describe(Members& members, SecretAdd& add);
void describe(Members& members, SecretInfo& info);
void describe(Members& members, SecretList& list);
void describe(Members& members, LeaseRequest& request);
void describe(Members& members, LeaseInfo& lease);
void describe(Members& members, LeaseList& list);
void describe(Members& members, LeasedSecret& leased);
void describe(Members& members, RevokedLeases& revoked);
void describe(Members& members, Binding& binding);
void describe(Members& members, BindRequest& request);
void describe(Members& members, BindingList& list);
void describe(Members& members, AuditEntry& entry);
void describe(Members& members, AuditTail& tail);
void describe(Members& members, AuditReport& report);
void describe(Members& members, SecretsStatus& status);
void describe(Members& members, SandboxCredential& credential);
void describe(Members& members, SandboxCredentials& credentials);

}  // namespace sbx::wire
