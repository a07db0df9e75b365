// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/secret_store.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/file.h"
#include "base/format.h"
#include "base/text.h"
#include "base/utf8.h"
#include "base/uuid.h"
#include "secrets/binding_rules.h"
#include "secrets/private_path.h"
#include "secrets/replacement.h"
#include "secrets/seal.h"
#include "secrets/services.h"

namespace sbx::secrets {
namespace {

using std::chrono::seconds;
using wire::AuditAction;

constexpr std::size_t kLargestStore = 64u << 20;
constexpr std::size_t kLargestValue = 64u << 10;
constexpr std::size_t kLongestSecretName = 128;
constexpr std::size_t kLongestClientId = 256;
constexpr std::size_t kMostSecrets = 1024;
constexpr std::size_t kMostBindings = 1024;
constexpr std::size_t kMostLeases = 4096;

Failure no_secret(const std::string& name) {
  return fail(Code::kNotFound, "no secret " + printable(name), "sandbox secret ls");
}

Result<> check_name(std::string_view name) {
  const bool ok = !name.empty() && name.size() <= kLongestSecretName && name.front() != '-' && name.front() != '.' &&
                  std::ranges::all_of(
                      name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.'; });
  if (ok) return Ok{};
  return fail(Code::kInvalid, "a secret's name has at most 128 letters, digits, underscores, hyphens and dots");
}

Result<> check_value(std::string_view value) {
  if (value.empty()) return fail(Code::kInvalid, "the secret is empty");
  if (value.size() > kLargestValue) return fail(Code::kTooLarge, "the secret is larger than 64 KiB");
  if (value.find('\0') != std::string_view::npos) return fail(Code::kInvalid, "the secret has a zero byte in it");
  return Ok{};
}

Result<seconds> checked_ttl(std::int64_t asked) {
  if (asked == 0) return seconds(kDefaultTtl);
  if (asked < 0 || asked > seconds(kLongestTtl).count())
    return fail(Code::kInvalid, "a lease has a TTL of at least a second and at most 24 hours");
  return seconds(asked);
}

bool is_over(const wire::LeaseInfo& lease, const std::string& time) { return lease.expires_at <= time; }

bool is_live(const wire::LeaseInfo& lease, const std::string& time) { return !lease.revoked && !is_over(lease, time); }

void note_earlier(std::optional<WallTime>& next, const std::string& time) {
  const auto parsed = parse_rfc3339(time);
  if (parsed && (!next || *parsed < *next)) next = *parsed;
}

}  // namespace

wire::AuditEntry SecretStore::entry(AuditAction action, std::string secret) const {
  wire::AuditEntry entry;
  entry.timestamp = time();
  entry.action = action;
  entry.secret_name = std::move(secret);
  return entry;
}

Result<> SecretStore::check_permissions() const {
  TRY(check_private_directory(directory_));
  TRY(check_private_file(directory_ + "/key"));
  for (const std::string& path : {file(), log_file()})
    if (const auto checked = check_private_file(path); !checked && checked.error().code() != Code::kNotFound)
      return checked;
  return Ok{};
}

Result<bool> SecretStore::is_there() const {
  if (!exists(directory_ + "/key")) return false;
  TRY(check_permissions());
  return true;
}

Result<> SecretStore::read(StoreKey key) {
  Secret seal_key = key.derived(StoreKey::Purpose::kSeal);
  AuditLog log(log_file(), key.derived(StoreKey::Purpose::kAudit));
  Contents contents;
  if (exists(file())) {
    TRY_ASSIGN(const std::string sealed, read_file(file(), kLargestStore));
    TRY_ASSIGN(const Secret plain, unseal(sealed, seal_key));
    TRY_ASSIGN(contents, Contents::decode(plain));
  }
  contents.ledger.audit = log.caught_up(contents.ledger.audit);
  open_.emplace(Open{std::move(key), std::move(seal_key), std::move(log), std::move(contents)});
  return Ok{};
}

Result<> SecretStore::open() {
  TRY_ASSIGN(const bool there, is_there());
  if (!there) {
    open_.reset();
    return Ok{};
  }
  if (open_) return Ok{};
  TRY_ASSIGN(StoreKey key, StoreKey::load(directory_));
  return read(std::move(key));
}

Result<> SecretStore::open_or_create() {
  TRY(open());
  if (open_) return Ok{};
  TRY(make_directories(directory_, 0700));
  TRY(check_private_directory(directory_));
  // A store whose key is gone must not be overwritten by an empty one.
  if (exists(file()))
    return fail(Code::kConflict, file() + " is there and its key is not",
                "put back " + directory_ + "/key, or remove the directory");
  TRY_ASSIGN(StoreKey key, StoreKey::create(directory_));
  return read(std::move(key));
}

// In this order, because only the first two can fail for want of room, and both leave what was there.
Result<> SecretStore::write(Contents next, Entries entries) {
  const std::string lines = open_->log.lines_for(std::move(entries), next.ledger.audit);
  TRY_ASSIGN(Replacement replacement, Replacement::prepare(file(), seal(next.encode(), open_->seal_key)));
  TRY(open_->log.append(lines));
  // The log has the lines now, whatever happens to the file.
  open_->contents.ledger.audit = next.ledger.audit;
  TRY(std::move(replacement).put_in_place());
  open_->contents = std::move(next);
  return Ok{};
}

Result<> SecretStore::change(const std::function<Result<Entries>(Contents&)>& edit) {
  TRY(open_or_create());
  Contents next = open_->contents;
  TRY_ASSIGN(Entries entries, edit(next));
  if (entries.empty()) return Ok{};
  return write(std::move(next), std::move(entries));
}

// What was refused is in the log, too.
Failure SecretStore::refused(wire::AuditEntry entry, Error error) {
  entry.success = false;
  entry.details = error.what();
  const auto noted = change([&](Contents&) -> Result<Entries> { return Entries{entry}; });
  if (!noted) return fail(Error(noted.error()).within(error.what()));
  return fail(std::move(error));
}

Result<wire::SecretList> SecretStore::list() {
  const std::scoped_lock lock(mutex_);
  TRY(open());
  wire::SecretList list;
  if (!open_) return list;
  for (const StoredSecret& secret : open_->contents.ledger.secrets) list.secrets.push_back(secret.info);
  return list;
}

Result<> SecretStore::add(const wire::SecretAdd& request, const std::string& request_key) {
  TRY(check_name(request.name));
  TRY(check_value(request.value));
  const std::scoped_lock lock(mutex_);
  return change([&](Contents& contents) -> Result<Entries> {
    StoredSecret* secret = contents.find(request.name);
    const bool is_new = secret == nullptr;
    if (!is_new && !request_key.empty() && secret->made_by == request_key) return Entries{};
    if (!is_new && !request.update)
      return fail(Code::kConflict, "there is a secret " + request.name + " already",
                  "sandbox secret add " + request.name + " --update");
    if (is_new) {
      if (contents.ledger.secrets.size() >= kMostSecrets)
        return fail(Code::kConflict, "there are 1024 secrets already");
      const Service* service = service_of_secret(request.name);
      contents.ledger.secrets.push_back({{request.name, service != nullptr ? service->name : "", time(), ""}, ""});
      secret = &contents.ledger.secrets.back();
    }
    secret->info.updated_at = time();
    secret->made_by = request_key;
    contents.values[request.name] = std::make_shared<const Secret>(Secret::copy_of(request.value));
    return Entries{entry(is_new ? AuditAction::kSecretAdd : AuditAction::kSecretUpdate, request.name)};
  });
}

Result<> SecretStore::remove(const std::string& name) {
  const std::scoped_lock lock(mutex_);
  TRY(open());
  if (!open_ || open_->contents.find(name) == nullptr) return no_secret(name);
  return change([&](Contents& contents) -> Result<Entries> {
    std::erase_if(contents.ledger.secrets, [&](const auto& secret) { return secret.info.name == name; });
    std::erase_if(contents.ledger.bindings, [&](const auto& binding) { return binding.secret == name; });
    std::erase_if(contents.ledger.leases, [&](const auto& lease) { return lease.secret_name == name; });
    contents.values.erase(name);
    return Entries{entry(AuditAction::kSecretDelete, name)};
  });
}

Result<wire::LeasedSecret> SecretStore::lease(const std::string& name, const wire::LeaseRequest& request) {
  if (request.client_id.size() > kLongestClientId) return fail(Code::kInvalid, "the client id is too long");
  const std::scoped_lock lock(mutex_);
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
      lease.lease_id,   name,        std::string(open_->contents.values.at(name)->view()), lease.client_id,
      lease.expires_at, ttl->count()};
}

Result<wire::LeaseList> SecretStore::leases() {
  const std::scoped_lock lock(mutex_);
  TRY(open());
  wire::LeaseList list;
  if (!open_) return list;
  for (const wire::LeaseInfo& lease : open_->contents.ledger.leases)
    if (lease.revoked || !is_over(lease, time())) list.leases.push_back(lease);
  return list;
}

Result<> SecretStore::revoke(const std::string& id) {
  const std::scoped_lock lock(mutex_);
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
  const std::scoped_lock lock(mutex_);
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

Result<wire::Binding> SecretStore::bind(wire::Binding binding) {
  const std::scoped_lock lock(mutex_);
  TRY(open());
  if (!open_ || open_->contents.find(binding.secret) == nullptr) return no_secret(binding.secret);
  TRY(check_binding(binding));
  TRY(check_apart(binding, open_->contents.ledger.bindings));
  binding.id = new_uuid().substr(0, 8);
  TRY(change([&](Contents& contents) -> Result<Entries> {
    auto& bindings = contents.ledger.bindings;
    if (bindings.size() >= kMostBindings) return fail(Code::kConflict, "there are 1024 bindings already");
    bindings.push_back(binding);
    wire::AuditEntry noted = entry(AuditAction::kBind, binding.secret);
    noted.details = description_of(binding);
    return Entries{noted};
  }));
  return binding;
}

Result<> SecretStore::unbind(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  TRY(open());
  const auto is_meant = [&](const wire::Binding& binding) { return binding.id == id || binding.secret == id; };
  if (!open_ || std::ranges::none_of(open_->contents.ledger.bindings, is_meant))
    return fail(Code::kNotFound, "no binding " + printable(id), "sandbox secret bindings");
  return change([&](Contents& contents) -> Result<Entries> {
    Entries entries;
    for (const wire::Binding& binding : contents.ledger.bindings) {
      if (!is_meant(binding)) continue;
      entries.push_back(entry(AuditAction::kUnbind, binding.secret));
      entries.back().details = description_of(binding);
    }
    std::erase_if(contents.ledger.bindings, is_meant);
    return entries;
  });
}

Result<wire::BindingList> SecretStore::bindings() {
  const std::scoped_lock lock(mutex_);
  TRY(open());
  return open_ ? wire::BindingList{open_->contents.ledger.bindings} : wire::BindingList{};
}

Result<std::vector<wire::LeaseInfo>> SecretStore::lease_to_sandbox(const Tenant& tenant,
                                                                   const std::vector<std::string>& secrets) {
  const std::scoped_lock lock(mutex_);
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
  const std::scoped_lock lock(mutex_);
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

Result<Contents> SecretStore::contents() {
  const std::scoped_lock lock(mutex_);
  TRY(open());
  return open_ ? open_->contents : Contents();
}

Result<std::string> SecretStore::placeholder(const std::string& sandbox_id, const std::string& secret) {
  const std::scoped_lock lock(mutex_);
  TRY(open());
  if (!open_) return no_secret(secret);
  const Secret key = open_->key.derived(StoreKey::Purpose::kPlaceholders);
  const std::string input = sandbox_id + "\n" + secret;
  std::array<unsigned char, crypto_generichash_BYTES_MIN> hash{};
  ::crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(input.data()), input.size(),
                       key.data(), key.size());
  std::string hex(2 * hash.size() + 1, '0');
  ::sodium_bin2hex(hex.data(), hex.size(), hash.data(), hash.size());
  return "sbx-cs-" + hex.substr(0, 2 * hash.size());
}

Result<wire::AuditTail> SecretStore::audit(std::size_t tail) {
  const std::scoped_lock lock(mutex_);
  TRY(open());
  return open_ ? open_->log.tail(tail) : wire::AuditTail{};
}

Result<wire::AuditReport> SecretStore::verify() {
  const std::scoped_lock lock(mutex_);
  TRY(open());
  return open_ ? open_->log.verify(open_->contents.ledger.audit) : wire::AuditReport{true, 0, 0, ""};
}

wire::SecretsStatus SecretStore::status() {
  const std::scoped_lock lock(mutex_);
  wire::SecretsStatus status;
  status.directory = directory_;
  if (const auto opened = open(); !opened) {
    status.error = opened.error().what();
    if (!opened.error().hint().empty()) status.error += " (try: " + opened.error().hint() + ")";
    return status;
  }
  if (!open_) return status;
  status.key = open_->key.in_keyring() ? "keyring" : "file";
  const Ledger& ledger = open_->contents.ledger;
  status.secrets = static_cast<std::int64_t>(ledger.secrets.size());
  status.bindings = static_cast<std::int64_t>(ledger.bindings.size());
  status.leases = std::ranges::count_if(ledger.leases, [&](const auto& lease) { return is_live(lease, time()); });
  return status;
}

}  // namespace sbx::secrets
