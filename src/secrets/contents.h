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

struct StoredSecret {
  wire::SecretInfo info;
  std::string made_by;  // the key of the request that wrote it last
};

// All that the store keeps but the values.
struct Ledger {
  int version = 1;
  std::vector<StoredSecret> secrets;
  std::vector<wire::LeaseInfo> leases;
  std::vector<wire::Binding> bindings;
  AuditHead audit;
};
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
