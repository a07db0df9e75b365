// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/secret_store.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/error_line.h"
#include "base/file.h"
#include "base/text.h"
#include "base/uuid.h"
#include "secrets/binding_rules.h"
#include "secrets/oauth_record.h"
#include "secrets/private_path.h"
#include "secrets/replacement.h"
#include "secrets/seal.h"
#include "secrets/services.h"

namespace sbx::secrets {
namespace {

using wire::AuditAction;

constexpr std::size_t kLargestStore = 64u << 20;
constexpr std::size_t kLargestValue = 64u << 10;
constexpr std::size_t kMostSecrets = 1024;
constexpr std::size_t kMostBindings = 1024;

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

// With what is not kept, because the value says it.
wire::SecretInfo shown_form_of(const StoredSecret& secret, const Secret& value) {
  wire::SecretInfo info = secret.info;
  if (const auto record = oauth_record_in(value.view())) {
    if (record->expires_at) info.token_expires_at = rfc3339(*record->expires_at);
    info.refresh_problem = secret.refresh.problem;
  }
  return info;
}

}  // namespace

Failure SecretStore::no_secret(const std::string& name) {
  return fail(Code::kNotFound, "no secret " + printable(name), "sandbox secret ls");
}

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
  for (const std::string& path : {file(), log_file(), log_file() + ".1"})
    if (auto checked = check_private_file(path); !checked && checked.error().code() != Code::kNotFound) return checked;
  return Ok{};
}

Result<bool> SecretStore::is_there() const {
  if (!exists(directory_ + "/key")) return false;
  TRY(check_permissions());
  return true;
}

Result<Contents> SecretStore::read_contents(const Secret& seal_key) const {
  if (!exists(file())) return Contents();
  TRY_ASSIGN(const std::string sealed, read_file(file(), kLargestStore));
  TRY_ASSIGN(const Secret plain, unseal(sealed, seal_key));
  return Contents::decode(plain);
}

Result<> SecretStore::read(StoreKey key) {
  Secret seal_key = key.derived(StoreKey::Purpose::kSeal);
  AuditLog log(log_file(), key.derived(StoreKey::Purpose::kAudit), largest_audit_file_);
  TRY_ASSIGN(Contents contents, read_contents(seal_key));
  TRY(log.finish_rotation(contents.ledger.audit));
  contents.ledger.audit = log.caught_up(contents.ledger.audit);
  open_.emplace(Open{std::move(key), std::move(seal_key), std::move(log), std::move(contents), true});
  return Ok{};
}

Result<> SecretStore::open() {
  TRY_ASSIGN(const bool there, is_there());
  if (!there) {
    open_.reset();
    return Ok{};
  }
  if (open_) return open_->has_values ? Ok{} : read_again();
  TRY_ASSIGN(StoreKey key, StoreKey::load(directory_));
  return read(std::move(key));
}

// What the log has is known better than the file says: a change whose file was not put in place is in the log.
Result<> SecretStore::read_again() {
  TRY_ASSIGN(Contents contents, read_contents(open_->seal_key));
  contents.ledger.audit = open_->contents.ledger.audit;
  open_->contents = std::move(contents);
  open_->has_values = true;
  return Ok{};
}

void SecretStore::forget_values() {
  if (!open_) return;
  open_->contents.values.clear();
  open_->has_values = false;
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
  TRY(open_->log.finish_rotation(open_->contents.ledger.audit));
  const std::string lines = open_->log.lines_for(std::move(entries), next.ledger.audit);
  if (open_->log.is_large()) AuditLog::begin_rotation(next.ledger.audit);
  TRY_ASSIGN(Replacement replacement, Replacement::prepare(file(), seal(next.encode(), open_->seal_key)));
  TRY(open_->log.append(lines));
  // The log has the lines now, whatever happens to the file.
  static_cast<AuditMark&>(open_->contents.ledger.audit) = next.ledger.audit;
  TRY(std::move(replacement).put_in_place());
  open_->contents = std::move(next);
  // The next change does it if this one cannot.
  (void)open_->log.finish_rotation(open_->contents.ledger.audit);
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
  const Visit visit(*this);
  TRY(open());
  wire::SecretList list;
  if (!open_) return list;
  for (const StoredSecret& secret : open_->contents.ledger.secrets)
    list.secrets.push_back(shown_form_of(secret, *open_->contents.values.at(secret.info.name)));
  return list;
}

Result<> SecretStore::add(const wire::SecretAdd& request, const std::string& request_key) {
  TRY(check_name(request.name));
  TRY(check_value(request.value));
  const Visit visit(*this);
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
    secret->refresh = {};
    contents.values[request.name] = std::make_shared<const Secret>(Secret::copy_of(request.value));
    return Entries{entry(is_new ? AuditAction::kSecretAdd : AuditAction::kSecretUpdate, request.name)};
  });
}

Result<> SecretStore::remove(const std::string& name) {
  const Visit visit(*this);
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

Result<wire::Binding> SecretStore::bind(wire::Binding binding) {
  const Visit visit(*this);
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
  const Visit visit(*this);
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
  const Visit visit(*this);
  TRY(open());
  return open_ ? wire::BindingList{open_->contents.ledger.bindings} : wire::BindingList{};
}

Result<> SecretStore::edit(const std::function<Result<Entries>(Contents&)>& edit) {
  const Visit visit(*this);
  TRY(open());
  return open_ ? change(edit) : Ok{};
}

Result<Contents> SecretStore::contents() {
  const Visit visit(*this);
  TRY(open());
  return open_ ? open_->contents : Contents();
}

Result<std::string> SecretStore::placeholder(const std::string& sandbox_id, const std::string& secret) {
  const Visit visit(*this);
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

Result<> SecretStore::note_ssh_use(const std::string& sandbox, const std::string& details) {
  const Visit visit(*this);
  return change([&](Contents&) -> Result<Entries> {
    wire::AuditEntry noted = entry(AuditAction::kSshSign);
    noted.client_id = sandbox;
    noted.details = details;
    return Entries{noted};
  });
}

Result<wire::AuditTail> SecretStore::audit(std::size_t tail) {
  const Visit visit(*this);
  TRY(open());
  return open_ ? open_->log.tail(tail) : wire::AuditTail{};
}

Result<wire::AuditReport> SecretStore::verify() {
  const Visit visit(*this);
  TRY(open());
  return open_ ? open_->log.verify(open_->contents.ledger.audit) : wire::AuditReport{true, 0, 0, ""};
}

wire::SecretsStatus SecretStore::status() {
  const Visit visit(*this);
  wire::SecretsStatus status;
  status.directory = directory_;
  if (const auto opened = open(); !opened) {
    status.error = error_line(opened.error());
    return status;
  }
  if (!open_) return status;
  status.key = open_->key.in_keyring() ? "keyring" : "file";
  const Ledger& ledger = open_->contents.ledger;
  status.secrets = static_cast<std::int64_t>(ledger.secrets.size());
  status.bindings = static_cast<std::int64_t>(ledger.bindings.size());
  status.leases = std::ranges::count_if(ledger.leases, [&](const auto& lease) { return is_live(lease, time()); });
  for (const StoredSecret& secret : ledger.secrets)
    if (!secret.refresh.problem.empty()) status.problems.push_back(secret.info.name + ": " + secret.refresh.problem);
  return status;
}

}  // namespace sbx::secrets
