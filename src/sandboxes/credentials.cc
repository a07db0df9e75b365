// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/credentials.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/log.h"
#include "secrets/selection.h"

namespace sbx::sandboxes {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

// No longer sleep than this: the wall clock may be set, and leases of sandboxes are to be renewed.
constexpr minutes kLongestRound{1};
constexpr int kRoundsToRenewal = 30;

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
      environment_(parts.environment_secrets),
      store_(parts.store.home().root() + "/secrets", parts.clock) {}

Credentials::~Credentials() {
  thread_.request_stop();
  changed_.notify_all();
}

Result<PreparedCredentials> Credentials::prepare(const Sandbox& sandbox, Leases leases) {
  const store::Record record = sandbox.record();
  TRY_ASSIGN(const secrets::Contents contents, store_.contents());
  const auto selected = secrets::select_secrets(contents, environment_, record.id);
  auto given = leases_of(contents, record.id);
  if (const auto wanted = secrets_in(selected); !wanted.empty() && leases != Leases::kAsTheyAre) {
    TRY_ASSIGN(given, store_.lease_to_sandbox({record.id, record.name, leases == Leases::kFresh}, wanted));
  }
  PreparedCredentials prepared(std::move(given),
                               [&](const std::string& secret) { return store_.placeholder(record.id, secret); });
  for (const auto& one : selected) TRY(prepared.add(one));
  return prepared;
}

Result<> Credentials::tell(const Sandbox& sandbox, Leases leases) {
  const std::scoped_lock telling(telling_);
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

Result<> Credentials::tell_all() {
  Result<> first = Ok{};
  for (const auto& sandbox : registry_.all()) {
    auto told = tell(*sandbox, Leases::kKept);
    if (told) continue;
    log_error("{}", told.error().what());
    if (first) first = fail(std::move(told).error().with_hint("sandbox stop " + sandbox->name()));
  }
  return first;
}

void Credentials::renew_held(const Sandbox& sandbox, Occasion occasion) {
  const auto told = tell(sandbox, occasion == Occasion::kStarted ? Leases::kFresh : Leases::kKept);
  if (!told) log_error("{}", told.error().what());
}

void Credentials::look_again() {
  const std::scoped_lock lock(mutex_);
  has_changed_ = true;
  changed_.notify_all();
}

Result<> Credentials::change(const std::function<Result<>(secrets::SecretStore&)>& edit) {
  TRY(edit(store_));
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
  const std::scoped_lock lock(mutex_);
  for (const auto& file : files) {
    const std::string now = std::to_string(running->shim->pid) + "\n" + file.content;
    if (std::exchange(placed_[sandbox.name() + "/" + file.path], now) != now) left.push_back(file);
  }
  return left;
}

void Credentials::watch() {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void Credentials::run(const std::stop_token& stop) {
  for (int round = 1; !stop.stop_requested(); ++round) {
    const milliseconds sleep = sweep();
    if (round % kRoundsToRenewal == 0) (void)tell_all();
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, stop, sleep, [this] { return has_changed_; });
    has_changed_ = false;
  }
}

// How long until there is more to do.
milliseconds Credentials::sweep() {
  std::set<std::string> ids;
  for (const auto& sandbox : registry_.all()) ids.insert(sandbox->record().id);
  const auto swept = store_.sweep(ids);
  if (swept && swept->some) (void)tell_all();
  if (!swept || !swept->next) return kLongestRound;
  const auto left = std::chrono::duration_cast<milliseconds>(*swept->next - clock_());
  return std::clamp<milliseconds>(left, milliseconds(50), kLongestRound);
}

}  // namespace sbx::sandboxes
