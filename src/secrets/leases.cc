// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// The leases in the store: to programs for a time, to sandboxes while they are there.
#include <algorithm>

#include "base/format.h"
#include "base/text.h"
#include "base/uuid.h"
#include "secrets/binding_rules.h"
#include "secrets/oauth_record.h"
#include "secrets/secret_store.h"

namespace sbx::secrets {
namespace {

using std::chrono::seconds;
using wire::AuditAction;

constexpr std::size_t kLongestClientId = 256;
constexpr std::size_t kMostLeases = 4096;

Result<seconds> checked_ttl(std::int64_t asked) {
  if (asked == 0) return seconds(kDefaultTtl);
  if (asked < 0 || asked > seconds(kLongestTtl).count())
    return fail(Code::kInvalid, "a lease has a TTL of at least a second and at most 24 hours");
  return seconds(asked);
}

void note_earlier(std::optional<WallTime>& next, const std::string& time) {
  const auto parsed = parse_rfc3339(time);
  if (parsed && (!next || *parsed < *next)) next = *parsed;
}

}  // namespace

Result<wire::LeasedSecret> SecretStore::lease(const std::string& name, const wire::LeaseRequest& request) {
  if (request.client_id.size() > kLongestClientId) return fail(Code::kInvalid, "the client id is too long");
  const Visit visit(*this);
  TRY(open());
  wire::AuditEntry noted = entry(AuditAction::kLeaseAcquire, name.substr(0, kLongestSecretName));
  noted.client_id = request.client_id;
  if (!open_) return no_secret(name);
  if (open_->contents.find(name) == nullptr) return refused(noted, no_secret(name).value());
  const auto ttl = checked_ttl(request.ttl_s);
  if (!ttl) return refused(noted, ttl.error());
  noted.lease_id = new_uuid();
  noted.details = sbx::format("ttl {} s", ttl->count());
  const wire::LeaseInfo lease{noted.lease_id, name, request.client_id, noted.timestamp, rfc3339(clock_() + *ttl), "",
                              false};
  TRY(change([&](Contents& contents) -> Result<Entries> {
    if (contents.ledger.leases.size() >= kMostLeases)
      return fail(Code::kConflict, "there are 4096 leases already", "sandbox secret revoke --all");
    contents.ledger.leases.push_back(lease);
    return Entries{noted};
  }));
  return wire::LeasedSecret{
      lease.lease_id,   name,        without_refresh_token(open_->contents.values.at(name)->view()), lease.client_id,
      lease.expires_at, ttl->count()};
}

Result<wire::LeaseList> SecretStore::leases() {
  const Visit visit(*this);
  TRY(open());
  wire::LeaseList list;
  if (!open_) return list;
  for (const wire::LeaseInfo& lease : open_->contents.ledger.leases)
    if (lease.revoked || !is_over(lease, time())) list.leases.push_back(lease);
  return list;
}

Result<> SecretStore::revoke(const std::string& id) {
  const Visit visit(*this);
  TRY(open());
  const auto is_meant = [&](const wire::LeaseInfo& lease) { return lease.lease_id == id && is_live(lease, time()); };
  if (!open_ || std::ranges::none_of(open_->contents.ledger.leases, is_meant))
    return fail(Code::kNotFound, "no lease " + printable(id) + ": it has expired, was revoked or never was",
                "sandbox secret leases");
  return change([&](Contents& contents) -> Result<Entries> {
    auto& leases = contents.ledger.leases;
    const auto lease = std::ranges::find_if(leases, is_meant);
    wire::AuditEntry noted = entry(AuditAction::kLeaseRevoke, lease->secret_name);
    noted.lease_id = id;
    noted.client_id = lease->client_id;
    if (lease->sandbox_id.empty())
      leases.erase(lease);
    else
      lease->revoked = true;
    return Entries{noted};
  });
}

Result<std::int64_t> SecretStore::revoke_all() {
  const Visit visit(*this);
  TRY(open());
  if (!open_) return 0;
  std::int64_t count = 0;
  TRY(change([&](Contents& contents) -> Result<Entries> {
    auto& leases = contents.ledger.leases;
    count = std::ranges::count_if(leases, [&](const auto& lease) { return is_live(lease, time()); });
    std::erase_if(leases, [](const auto& lease) { return lease.sandbox_id.empty(); });
    for (wire::LeaseInfo& lease : leases) lease.revoked = true;
    wire::AuditEntry noted = entry(AuditAction::kRevokeAll);
    noted.details = sbx::format("{} leases", count);
    return Entries{noted};
  }));
  return count;
}

Result<std::vector<wire::LeaseInfo>> SecretStore::lease_to_sandbox(const Tenant& tenant,
                                                                   const std::vector<std::string>& secrets) {
  const Visit visit(*this);
  TRY(open());
  if (!open_) return std::vector<wire::LeaseInfo>();
  const std::string half = rfc3339(clock_() + seconds(kLongestTtl) / 2);
  std::vector<wire::LeaseInfo> given;
  TRY(change([&](Contents& contents) -> Result<Entries> {
    Entries entries;
    auto& leases = contents.ledger.leases;
    if (tenant.fresh)
      std::erase_if(leases, [&](const auto& lease) { return lease.sandbox_id == tenant.id && lease.revoked; });
    for (const std::string& secret : secrets) {
      auto lease = std::ranges::find_if(
          leases, [&](const auto& known) { return known.sandbox_id == tenant.id && known.secret_name == secret; });
      const bool is_new = lease == leases.end();
      if (is_new)
        lease =
            leases.insert(leases.end(), {new_uuid(), secret, "sandbox:" + tenant.name, time(), "", tenant.id, false});
      if (!lease->revoked && lease->expires_at < half) {
        lease->expires_at = rfc3339(clock_() + kLongestTtl);
        entries.push_back(entry(AuditAction::kLeaseAcquire, secret));
        entries.back().client_id = lease->client_id;
        entries.back().lease_id = lease->lease_id;
        entries.back().details = is_new ? "for its vault" : "renewed";
      }
      given.push_back(*lease);
    }
    return entries;
  }));
  return given;
}

Result<SecretStore::Swept> SecretStore::sweep(const std::set<std::string>& sandbox_ids) {
  const Visit visit(*this);
  TRY(open());
  Swept swept;
  if (!open_) return swept;
  const std::string time = this->time();
  const auto is_gone = [&](const std::string& id) { return !id.empty() && !sandbox_ids.contains(id); };
  TRY(change([&](Contents& contents) -> Result<Entries> {
    Entries entries;
    std::erase_if(contents.ledger.leases, [&](const wire::LeaseInfo& lease) {
      const bool drop = is_gone(lease.sandbox_id) || (lease.sandbox_id.empty() && is_over(lease, time));
      if (!drop) return false;
      entries.push_back(entry(AuditAction::kLeaseExpire, lease.secret_name));
      entries.back().client_id = lease.client_id;
      entries.back().lease_id = lease.lease_id;
      return true;
    });
    std::erase_if(contents.ledger.bindings, [&](const wire::Binding& binding) {
      const bool is_over = !binding.expires_at.empty() && binding.expires_at <= time;
      if (!is_over && !is_gone(binding.sandbox_id)) return false;
      entries.push_back(entry(AuditAction::kUnbind, binding.secret));
      entries.back().details = (is_over ? "expired: " : "its sandbox is gone: ") + description_of(binding);
      return true;
    });
    swept.some = !entries.empty();
    return entries;
  }));
  for (const wire::LeaseInfo& lease : open_->contents.ledger.leases)
    if (lease.sandbox_id.empty()) note_earlier(swept.next, lease.expires_at);
  for (const wire::Binding& binding : open_->contents.ledger.bindings)
    if (!binding.expires_at.empty()) note_earlier(swept.next, binding.expires_at);
  return swept;
}

}  // namespace sbx::secrets
