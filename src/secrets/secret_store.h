// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "secrets/audit_log.h"
#include "secrets/contents.h"
#include "secrets/store_key.h"
#include "wire/secret.h"

namespace sbx::secrets {

inline constexpr std::chrono::hours kDefaultTtl{1};
inline constexpr std::chrono::hours kLongestTtl{24};
inline constexpr std::size_t kLongestSecretName = 128;

// The secrets of one home, encrypted in one file, with what was given to whom and the log of it. One daemon has it.
//
//   SecretStore store(home + "/secrets", now);
//   TRY(store.add({"anthropic", key}, request_key));
//   TRY_ASSIGN(const auto leased, store.lease("anthropic", {.ttl_s = 60, .client_id = "make"}));
//
// Values are decrypted for a call and wiped after it. Any thread may call any method. The directory is made by the
// first change. Each method first looks at owners and permissions (kForbidden). A change is whole, in the file and in
// the audit log, or it has not happened: also when the disk is full or the process is killed.
class SecretStore {
 public:
  SecretStore(std::string directory, std::function<WallTime()> clock,
              std::int64_t largest_audit_file = kLargestAuditFile)
      : directory_(std::move(directory)), clock_(std::move(clock)), largest_audit_file_(largest_audit_file) {}

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
  // For what is no request of a user's: changes what `edit` changes, with these lines in the log, or nothing. No lines:
  // nothing has changed.
  using Entries = std::vector<wire::AuditEntry>;
  Result<> edit(const std::function<Result<Entries>(Contents&)>& edit);
  wire::AuditEntry entry(wire::AuditAction action, std::string secret = {}) const;  // as of now
  // Stands for a secret in one sandbox: random without the store's key, and always the same.
  Result<std::string> placeholder(const std::string& sandbox_id, const std::string& secret);

  // A line in the audit log for what a sandbox did with a key of the user's ssh-agent.
  Result<> note_ssh_use(const std::string& sandbox, const std::string& details);

  Result<wire::AuditTail> audit(std::size_t tail);
  Result<wire::AuditReport> verify();
  wire::SecretsStatus status();

 private:
  struct Open {
    StoreKey key;
    Secret seal_key;
    AuditLog log;
    Contents contents;
    bool has_values = false;  // the ledger always
  };
  // One caller at a time; values are in memory while one is there.
  class SBX_SCOPED_CAPABILITY Visit {
   public:
    explicit Visit(SecretStore& store) SBX_ACQUIRE(store.mutex_) : store_(store), lock_(store.mutex_) {}
    ~Visit() SBX_RELEASE() { store_.forget_values(); }

   private:
    SecretStore& store_;
    const MutexLock lock_;
  };

  static Failure no_secret(const std::string& name);
  Result<> check_permissions() const;
  Result<bool> is_there() const;
  Result<> open() SBX_REQUIRES(mutex_);  // nothing happens if it is open or there is none
  Result<> open_or_create() SBX_REQUIRES(mutex_);
  Result<> read(StoreKey key) SBX_REQUIRES(mutex_);
  Result<> read_again() SBX_REQUIRES(mutex_);
  void forget_values() SBX_REQUIRES(mutex_);
  Result<Contents> read_contents(const Secret& seal_key) const;
  Result<> write(Contents next, Entries entries) SBX_REQUIRES(mutex_);
  // The one way in which anything changes: on a copy, which takes the place of what is there when all is on the disk.
  Result<> change(const std::function<Result<Entries>(Contents&)>& edit) SBX_REQUIRES(mutex_);
  Failure refused(wire::AuditEntry entry, Error error) SBX_REQUIRES(mutex_);
  std::string time() const { return rfc3339(clock_()); }
  std::string file() const { return directory_ + "/store"; }
  std::string log_file() const { return directory_ + "/audit.log"; }

  const std::string directory_;
  const std::function<WallTime()> clock_;
  const std::int64_t largest_audit_file_;
  Mutex mutex_;
  std::optional<Open> open_ SBX_GUARDED_BY(mutex_);
};

}  // namespace sbx::secrets
