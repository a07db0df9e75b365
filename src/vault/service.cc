// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/service.h"

#include <algorithm>

#include "base/log.h"
#include "vault/wall_clock.h"

namespace sbx::vault {
namespace {

constexpr std::size_t kMostErrands = 8192;  // twice what a guest may have open
constexpr std::size_t kBindingsPart = 32u << 10;
constexpr std::size_t kMostUnread = 1u << 20;
// The clock may be set while we wait.
constexpr std::chrono::milliseconds kLongestWait = std::chrono::seconds(30);

}  // namespace

Service::Service(Inputs inputs)
    : loop_(inputs.loop),
      trust_(std::move(inputs.trust)),
      lifeline_(inputs.loop),
      keeper_(
          loop_, std::move(inputs.keeper), [this](std::string_view bytes, Fd file) { keeper_said(bytes, file); },
          [this] { loop_.stop(); }),
      shim_(
          loop_, std::move(inputs.shim), [this](std::string_view bytes, const Fd&) { shim_said(bytes); },
          [this] { loop_.stop(); }),
      gate_(
          loop_, std::move(inputs.gate),
          [this](std::string_view bytes, Fd socket) { gate_said(bytes, std::move(socket)); },
          [this] { loop_.stop(); }) {
  shim_.hold_back_above(kMostUnread);
}

void Service::end(const char* why) {
  log_error("the vault ends: {}", why);
  loop_.stop();
}

// The keeper.

void Service::keeper_said(std::string_view bytes, const Fd& attached) {
  const auto message = decode_load(bytes);
  if (!message || !attached) return end("its keeper speaks nonsense");
  load(message->number, attached);
}

void Service::load(std::uint64_t number, const Fd& file) {
  auto loaded = Credentials::load(file);
  if (!loaded) return keeper_.send(encode(Loaded{number, loaded.error().what()}));
  credentials_ = std::move(*loaded);
  check_all();
  await_expiry();
  tell_bindings(number);
}

void Service::tell_bindings(std::uint64_t number) {
  const std::string text = encode(credentials_->bindings());
  for (std::size_t at = 0; at < text.size(); at += kBindingsPart)
    shim_.send(encode(BindingsPart{number, at + kBindingsPart >= text.size(), text.substr(at, kBindingsPart)}));
}

// What ends is dropped meanwhile.
void Service::check_all() {
  const std::int64_t now_ms = wall_milliseconds();
  for (auto next = errands_.begin(); next != errands_.end();) {
    const auto errand = next++;
    errand->second.passage->check(*credentials_, now_ms);
  }
}

void Service::await_expiry() {
  const std::int64_t now_ms = wall_milliseconds();
  std::int64_t next = INT64_MAX;
  for (const auto& each : credentials_->all())
    if (each.expires_ms > now_ms) next = std::min(next, each.expires_ms);
  expiry_.cancel();
  if (next == INT64_MAX) return;
  expiry_ = loop_.after(std::min(kLongestWait, std::chrono::milliseconds(next - now_ms)), [this] {
    check_all();
    await_expiry();
  });
}

// The shim.

void Service::shim_said(std::string_view bytes) {
  const auto message = decode_from_shim(bytes);
  if (!message) return end("its shim speaks nonsense");
  if (const auto* asked = std::get_if<gate::Dial>(&*message)) dial(*asked);
  if (const auto* asked = std::get_if<gate::Cancel>(&*message)) cancel(asked->ticket);
  if (const auto* held = std::get_if<Held>(&*message)) keeper_.send(encode(Loaded{held->number, {}}));
}

void Service::dial(const gate::Dial& dial) {
  if (!credentials_ || credentials_->of_host(dial.target.host.text()).empty())
    return answer(dial.ticket, {"no credential is bound to it any more"});
  if (errands_.size() >= kMostErrands) return answer(dial.ticket, {"the sandbox has too many connections open"});
  const Ticket ticket = next_++;
  Passage::Handlers handlers{[this] { return credentials_; },
                             [this, ticket](Result<Fd> made) { opened(ticket, std::move(made)); },
                             [this, ticket] { drop(ticket); }};
  errands_.emplace(ticket, Errand{dial.ticket, dial.target, std::nullopt, false,
                                  std::make_unique<Passage>(loop_, dial.target, std::move(handlers))});
  gate_.send(encode(gate::Dial{ticket, dial.target}));
}

void Service::cancel(Ticket shims) {
  const auto found = std::ranges::find_if(errands_, [shims](const auto& each) { return each.second.shims == shims; });
  if (found == errands_.end() || found->second.open) return;
  gate_.send(encode(gate::Cancel{found->first}));
  drop(found->first);
}

void Service::answer(Ticket shims, gate::Failed failed) { shim_.send(encode(gate::Dialed{shims, std::move(failed)})); }

// The gate, which is trusted to say where a socket leads.

void Service::gate_said(std::string_view bytes, Fd attached) {
  auto message = gate::decode_from_gate(bytes);
  auto* dialed = message ? std::get_if<gate::Dialed>(&*message) : nullptr;
  if (dialed == nullptr) return end("its gate speaks nonsense");
  const auto found = errands_.find(dialed->ticket);
  if (found == errands_.end()) return gate_.send(encode(gate::Cancel{dialed->ticket}));  // it was given up meanwhile
  if (auto* there = std::get_if<gate::Reached>(&dialed->outcome))
    return reached(found->first, found->second, std::move(*there), std::move(attached));
  shim_.send(encode(gate::Dialed{found->second.shims, std::move(dialed->outcome)}));
  drop(found->first);
}

void Service::reached(Ticket ticket, Errand& errand, gate::Reached reached, Fd socket) {
  const auto give_up = [&](const std::string& why) {
    gate_.send(encode(gate::Cancel{ticket}));
    answer(errand.shims, {why});
    drop(ticket);
  };
  if (!socket) return give_up("the sandbox has too many connections open");
  if (reached.verdict.decision != policy::Decision::kInspect)
    return give_up("it is not inspected, by a rule of the network policy, so no credential can be set");
  auto context = trust_.client_context();
  if (!context) return give_up(context.error().what());
  errand.reached = std::move(reached);
  errand.passage->connect(std::move(socket), *context);
}

void Service::opened(Ticket ticket, Result<Fd> made) {
  Errand& errand = errands_.at(ticket);
  if (!made) return answer(errand.shims, {made.error().what()});
  errand.open = true;
  shim_.send(encode(gate::Dialed{errand.shims, std::move(*errand.reached)}), std::move(*made));
}

// Later, because it may be the passage itself that calls.
void Service::drop(Ticket ticket) {
  const auto node = errands_.extract(ticket);
  if (!node.empty()) loop_.discard(std::move(node.mapped().passage));
}

}  // namespace sbx::vault
