// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "secrets/audit_log.h"
#include "secrets/contents.h"
#include "secrets/store_key.h"
#include "wire/secret.h"

namespace sbx::secrets {

inline constexpr std::chrono::hours kDefaultTtl{1};
inline constexpr std::chrono::hours kLongestTtl{24};

// The secrets of one home, encrypted in one file, with what was given to whom and the log of it. One daemon has it.
//
//   SecretStore store(home + "/secrets", now);
//   TRY(store.add({"anthropic", key}, request_key));
//   TRY_ASSIGN(const auto leased, store.lease("anthropic", {.ttl_s = 60, .client_id = "make"}));
//
// Any thread may call any method. The directory is made by the first change. Each method first looks at owners and
// permissions (kForbidden). A change is whole, in the file and in the audit log, or it has not happened: also when the
// disk is full or the process is killed.
class SecretStore {
 public:
  SecretStore(std::string directory, std::function<WallTime()> clock)
      : directory_(std::move(directory)), clock_(std::move(clock)) {}

  Result<wire::SecretList> list();
  // kConflict: there is one of that name, and the request neither updates nor is the same one made again.
  Result<> add(const wire::SecretAdd& request, const std::string& request_key);
  Result<> remove(const std::string& name);  // with its bindings and leases

  Result<wire::LeasedSecret> lease(const std::string& name, const wire::LeaseRequest& request);
  Result<wire::LeaseList> leases();  // those that live
  Result<> revoke(const std::string& lease);
  Result<std::int64_t> revoke_all();

  Result<wire::Binding> bind(wire::Binding binding);  // gets an id
  Result<> unbind(const std::string& id);
  Result<wire::BindingList> bindings();

  // The leases of a sandbox: new ones for secrets that it does not have, renewed where less than half of their time is
  // left. One that was revoked comes as it is, unless `fresh`: the sandbox starts.
  struct Tenant {
    std::string id;
    std::string name;
    bool fresh = false;
  };
  Result<std::vector<wire::LeaseInfo>> lease_to_sandbox(const Tenant& tenant, const std::vector<std::string>& secrets);
  // Takes out what is over, and what belongs to sandboxes that are none of these.
  struct Swept {
    bool some = false;
    std::optional<WallTime> next;  // when the next of it is over
  };
  Result<Swept> sweep(const std::set<std::string>& sandbox_ids);

  Result<Contents> contents();  // of no store: nothing
  // Stands for a secret in one sandbox: random without the store's key, and always the same.
  Result<std::string> placeholder(const std::string& sandbox_id, const std::string& secret);

  Result<wire::AuditTail> audit(std::size_t tail);
  Result<wire::AuditReport> verify();
  wire::SecretsStatus status();

 private:
  using Entries = std::vector<wire::AuditEntry>;
  struct Open {
    StoreKey key;
    Secret seal_key;
    AuditLog log;
    Contents contents;
  };

  Result<> check_permissions() const;
  Result<bool> is_there() const;
  Result<> open();  // nothing happens if it is open or there is none
  Result<> open_or_create();
  Result<> read(StoreKey key);
  Result<> write(Contents next, Entries entries);
  // The one way in which anything changes: on a copy, which takes the place of what is there when all is on the disk.
  Result<> change(const std::function<Result<Entries>(Contents&)>& edit);
  Failure refused(wire::AuditEntry entry, Error error);
  std::string time() const { return rfc3339(clock_()); }
  std::string file() const { return directory_ + "/store"; }
  std::string log_file() const { return directory_ + "/audit.log"; }
  wire::AuditEntry entry(wire::AuditAction action, std::string secret = {}) const;

  const std::string directory_;
  const std::function<WallTime()> clock_;
  std::mutex mutex_;
  std::optional<Open> open_;  // guarded by mutex_
};

}  // namespace sbx::secrets
