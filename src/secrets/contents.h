// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "secrets/audit_log.h"
#include "secrets/secret.h"
#include "wire/secret.h"

namespace sbx::secrets {

// How it stands with the next tokens of a login (token_refresher.h). A value that the user gives starts anew.
struct RefreshNote {
  std::string begun_at;       // the endpoint is being asked; after a crash: it was, and what it answered is lost
  std::string not_before;     // the next time
  std::string problem;        // of the last time; empty: none
  std::int64_t failures = 0;  // in a row
  bool is_final = false;      // the endpoint has refused the login: only the user can make another

  bool operator==(const RefreshNote&) const = default;
};

struct StoredSecret {
  wire::SecretInfo info;
  std::string made_by;  // the key of the request that wrote it last
  RefreshNote refresh{};
};

// At this time (RFC 3339, as all of ours).
inline bool is_over(const wire::LeaseInfo& lease, const std::string& time) { return lease.expires_at <= time; }
inline bool is_live(const wire::LeaseInfo& lease, const std::string& time) {
  return !lease.revoked && !is_over(lease, time);
}

// All that the store keeps but the values.
struct Ledger {
  int version = 1;
  std::vector<StoredSecret> secrets;
  std::vector<wire::LeaseInfo> leases;
  std::vector<wire::Binding> bindings;
  AuditHead audit;
};
void describe(Members& members, RefreshNote& note);
void describe(Members& members, StoredSecret& secret);
void describe(Members& members, Ledger& ledger);

// What is in the store. A copy shares the values, which never change.
struct Contents {
  Ledger ledger;
  std::map<std::string, std::shared_ptr<const Secret>> values;  // by the secret's name

  StoredSecret* find(std::string_view name);

  // The ledger as JSON and the values after it, so that no value goes through a JSON library's strings.
  Secret encode() const;
  static Result<Contents> decode(const Secret& bytes);
};

}  // namespace sbx::secrets
