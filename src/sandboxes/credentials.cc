// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/credentials.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/log.h"
#include "secrets/host_logins.h"
#include "secrets/selection.h"

namespace sbx::sandboxes {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int kSweepsToRenewal = 30;  // of the leases of sandboxes: at least every half hour

// Which leases there are of a sandbox, without taking any.
std::vector<wire::LeaseInfo> leases_of(const secrets::Contents& contents, const std::string& sandbox_id) {
  std::vector<wire::LeaseInfo> leases;
  std::ranges::copy_if(contents.ledger.leases, std::back_inserter(leases),
                       [&](const wire::LeaseInfo& lease) { return lease.sandbox_id == sandbox_id; });
  return leases;
}

std::vector<std::string> secrets_in(const std::vector<secrets::Selected>& selected) {
  std::set<std::string> names;
  for (const auto& one : selected)
    if (!one.secret.empty()) names.insert(one.secret);
  return {names.begin(), names.end()};
}

}  // namespace

Credentials::Credentials(const Parts& parts, const Registry& registry)
    : registry_(registry),
      clock_(parts.clock),
      store_(parts.store.home().root() + "/secrets", parts.clock),
      refresher_(store_, parts.clock, parts.token_endpoints),
      environment_(parts.environment_secrets) {}

Result<PreparedCredentials> Credentials::prepare(const Sandbox& sandbox, Leases leases) {
  const store::Record record = sandbox.record();
  TRY_ASSIGN(const secrets::Contents contents, store_.contents());
  const auto selected = secrets::select_secrets(contents, environment(), record.id);
  auto given = leases_of(contents, record.id);
  if (const auto wanted = secrets_in(selected); !wanted.empty() && leases != Leases::kAsTheyAre) {
    TRY_ASSIGN(given, store_.lease_to_sandbox({record.id, record.name, leases == Leases::kFresh}, wanted));
  }
  PreparedCredentials prepared(std::move(given),
                               [&](const std::string& secret) { return store_.placeholder(record.id, secret); });
  for (const auto& one : selected) TRY(prepared.add(one));
  for (const auto& login : registry_logins(record)) prepared.add(login);
  return prepared;
}

// Not with telling_ held: helpers are programs, and one that waits must not keep what was revoked in other vaults.
void Credentials::read_registry_logins() {
  const MutexLock reading(reading_);
  auto logins = secrets::read_host_logins();
  const MutexLock lock(mutex_);
  logins_ = std::move(logins);
}

bool Credentials::knows_registry_logins() const {
  const MutexLock lock(mutex_);
  return logins_.has_value();
}

std::vector<secrets::RegistryLogin> Credentials::registry_logins(const store::Record& record) {
  if (!record.registry_auth) return {};
  if (!knows_registry_logins()) read_registry_logins();
  const MutexLock lock(mutex_);
  return *logins_;
}

Result<> Credentials::tell(const Sandbox& sandbox, Leases leases) {
  if (sandbox.running()) (void)registry_logins(sandbox.record());  // known now, and not read with the lock held
  const MutexLock telling(telling_);
  if (!sandbox.running()) return Ok{};
  TRY_ASSIGN(const PreparedCredentials prepared, prepare(sandbox, leases));
  // A machine that has just been started has none, and needs no vault for that.
  if (leases == Leases::kFresh && prepared.credentials().empty()) return Ok{};
  const auto told = sandbox.directory().vault().set_credentials(prepared.credentials());
  if (told) return Ok{};
  // Where no vault serves, no request gets a credential, and there is none to take away.
  if (told.error().code() == Code::kUnavailable) {
    if (!prepared.credentials().empty())
      log_warning("sandbox {} gets no credentials: {}", sandbox.name(), told.error().what());
    return Ok{};
  }
  return fail(Error(told.error()).within("credentials of " + sandbox.name()));
}

// First with the logins at registries as they are known: whatever their helpers do, what was revoked is gone by then.
Result<> Credentials::tell_all() {
  const auto sandboxes = registry_.all();
  Result<> told = tell_each(sandboxes);
  std::vector<std::shared_ptr<Sandbox>> with_logins;
  std::ranges::copy_if(sandboxes, std::back_inserter(with_logins),
                       [](const auto& sandbox) { return sandbox->running() && sandbox->record().registry_auth; });
  if (with_logins.empty()) return told;
  read_registry_logins();
  auto told_again = tell_each(with_logins);
  return told ? told_again : told;
}

Result<> Credentials::tell_each(const std::vector<std::shared_ptr<Sandbox>>& sandboxes) {
  Result<> first = Ok{};
  for (const auto& sandbox : sandboxes) {
    auto told = tell(*sandbox, Leases::kKept);
    if (told) continue;
    log_error("{}", told.error().what());
    if (first) first = fail(std::move(told).error().with_hint("sandbox stop " + sandbox->name()));
  }
  return first;
}

void Credentials::renew_held(const Sandbox& sandbox, Occasion occasion) {
  if (occasion == Occasion::kStarted) refresh_expired_tokens();
  if (sandbox.record().registry_auth) read_registry_logins();
  const auto told = tell(sandbox, occasion == Occasion::kStarted ? Leases::kFresh : Leases::kKept);
  if (!told) log_error("{}", told.error().what());
  ssh_agents_.follow(sandbox);
}

secrets::EnvironmentSecrets Credentials::environment() const {
  const MutexLock lock(mutex_);
  return environment_;
}

Result<wire::LeasedSecret> Credentials::lease(const std::string& secret, const wire::LeaseRequest& request) {
  refresh_expired_tokens();
  TRY_ASSIGN(auto leased, store_.lease(secret, request));
  look_again();
  return leased;
}

Result<std::int64_t> Credentials::revoke_all() {
  std::int64_t revoked = 0;
  TRY(change([&](secrets::SecretStore& store) -> Result<> {
    TRY_ASSIGN(revoked, store.revoke_all());
    const MutexLock lock(mutex_);
    environment_.clear();
    return Ok{};
  }));
  return revoked;
}

milliseconds Credentials::refresh_tokens() {
  const auto round = refresher_.refresh(secrets::TokenRefresher::Which::kDue);
  if (round.changed) (void)tell_all();
  return until(round.next);
}

void Credentials::refresh_expired_tokens() {
  if (refresher_.refresh(secrets::TokenRefresher::Which::kExpired).changed) (void)tell_all();
}

void Credentials::look_again() {
  sweeping_.look_again();
  refreshing_.look_again();
}

Result<> Credentials::change(const std::function<Result<>(secrets::SecretStore&)>& edit) {
  TRY(edit(store_));
  forget_placed();
  look_again();
  auto told = tell_all();
  if (told) return told;
  return fail(std::move(told).error().within("it is done, but a running sandbox may not keep to it"));
}

Result<wire::Binding> Credentials::bind(const wire::BindRequest& request) {
  wire::Binding binding;
  binding.secret = request.secret;
  binding.service = request.service;
  binding.hosts = request.hosts;
  binding.header = request.header;
  binding.format = request.format.empty() && request.service.empty() ? "{}" : request.format;
  binding.variable = request.variable;
  if (request.ttl_s < 0) return fail(Code::kInvalid, "the TTL of a binding is less than nothing");
  if (request.ttl_s > 0) binding.expires_at = rfc3339(clock_() + seconds(request.ttl_s));
  if (!request.sandbox.empty()) {
    TRY_ASSIGN(const auto sandbox, registry_.find(request.sandbox));
    TRY(sandbox->usable());
    binding.sandbox = sandbox->name();
    binding.sandbox_id = sandbox->record().id;
  }
  wire::Binding made;
  TRY(change([&](secrets::SecretStore& store) -> Result<> {
    auto bound = store.bind(binding);
    if (!bound) return fail(std::move(bound).error());
    made = std::move(*bound);
    return Ok{};
  }));
  return made;
}

Result<wire::SandboxCredentials> Credentials::of(const std::string& name) {
  TRY_ASSIGN(const auto sandbox, registry_.find(name));
  TRY_ASSIGN(const PreparedCredentials prepared, prepare(*sandbox, Leases::kAsTheyAre));
  return prepared.shown();
}

std::string Credentials::for_host(const std::string& name, const std::string& target) {
  const auto known = of(name);
  if (!known) return {};
  const std::string host = target.substr(0, target.rfind(':'));
  for (const wire::SandboxCredential& credential : known->credentials)
    if (std::ranges::find(credential.hosts, host) != credential.hosts.end())
      return credential.service + " (" + credential.source + ")" +
             (credential.state == "ready" ? "" : ", refused: " + credential.state);
  return {};
}

std::vector<PreparedCredentials::File> Credentials::add_placeholders(const Sandbox& sandbox,
                                                                     wire::Environment& environment) {
  refresh_expired_tokens();
  ssh_agents_.follow(sandbox);  // the user's agent may have ended since, and there be another
  const auto prepared = prepare(sandbox, Leases::kAsTheyAre);
  if (!prepared) {
    log_error("credentials of {}: {}", sandbox.name(), prepared.error().what());
    return {};
  }
  const store::Record record = sandbox.record();
  for (const auto& variable : prepared->variables())
    if (!has_variable(environment, variable.first) && !has_variable(record.environment, variable.first))
      environment.push_back(variable);
  return not_placed(sandbox, prepared->files());
}

std::vector<PreparedCredentials::File> Credentials::not_placed(const Sandbox& sandbox,
                                                               const std::vector<PreparedCredentials::File>& files) {
  const auto running = sandbox.running();
  std::vector<PreparedCredentials::File> left;
  if (!running) return left;
  const MutexLock lock(mutex_);
  for (const auto& file : files) {
    const std::string now = std::to_string(running->shim->pid) + "\n" + file.content;
    if (std::exchange(placed_[sandbox.name() + "/" + file.path], now) != now) left.push_back(file);
  }
  return left;
}

void Credentials::forget_placed() {
  const MutexLock lock(mutex_);
  placed_.clear();
}

void Credentials::watch() {
  sweeping_.start();
  refreshing_.start();
}

void Credentials::stop_watching() {
  sweeping_.stop();
  refreshing_.stop();
}

milliseconds Credentials::until(const std::optional<WallTime>& time) const {
  return time ? std::chrono::duration_cast<milliseconds>(*time - clock_()) : Rounds::kLongestSleep;
}

milliseconds Credentials::sweep() {
  std::set<std::string> ids;
  for (const auto& sandbox : registry_.all()) ids.insert(sandbox->record().id);
  const auto swept = store_.sweep(ids);
  const bool renews = ++sweeps_ % kSweepsToRenewal == 0;
  if (renews || (swept && swept->some)) (void)tell_all();
  return until(swept ? swept->next : std::nullopt);
}

}  // namespace sbx::sandboxes
