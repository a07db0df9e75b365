// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/vault_door.h"

#include <utility>

#include "base/log.h"

namespace sbx::shim {
namespace {

constexpr std::size_t kLargestBindings = 4u << 20;
constexpr std::size_t kMostQueuedAsks = 8u << 20;
// For a vault to come after one that died, and for what it dials to be reached.
constexpr auto kNextVaultLimit = std::chrono::seconds(5);
constexpr const char* kNoVault =
    "the sandbox's vault has ended, and there is no way to this host without its credential; try again";

}  // namespace

VaultDoor::VaultDoor(loop::Loop& loop, Fd keeper, OnChange on_change)
    : loop_(loop),
      on_change_(std::move(on_change)),
      lifeline_(loop),
      keeper_(
          loop, std::move(keeper), [this](std::string_view bytes, Fd line) { keeper_said(bytes, std::move(line)); },
          [this] { keeper_lost(); }) {}

VaultDoor::Ticket VaultDoor::dial(const policy::Target& target, OnDialed done) {
  const Ticket ticket = next_++;
  Waiting& waiting = dials_.emplace(ticket, Waiting{target, std::move(done), false, {}}).first->second;
  if (lost_)
    fail(ticket, kNoVault);
  else if (vault_ && vault_->queued() > kMostQueuedAsks)
    fail(ticket, "too many connections are being made");
  else
    ask(ticket, waiting);
  return ticket;
}

void VaultDoor::ask(Ticket ticket, Waiting& waiting) {
  if (!ready_) {
    waiting.limit = loop_.after(kNextVaultLimit, [this, ticket] { finish(ticket, proxy::Failed{kNoVault}); });
    return;
  }
  waiting.limit.cancel();
  waiting.asked = true;
  vault_->send(encode(gate::Dial{ticket, waiting.target}));
}

void VaultDoor::cancel(Ticket ticket) {
  const auto node = dials_.extract(ticket);
  if (!node.empty() && node.mapped().asked && vault_) vault_->send(encode(gate::Cancel{ticket}));
}

void VaultDoor::fail(Ticket ticket, const std::string& why) {
  lifeline_.later([this, ticket, why] { finish(ticket, proxy::Failed{why}); });
}

void VaultDoor::finish(Ticket ticket, proxy::Dialed outcome) {
  auto node = dials_.extract(ticket);
  if (!node.empty()) node.mapped().done(std::move(outcome));  // else it was cancelled meanwhile
}

void VaultDoor::keeper_said(std::string_view bytes, Fd line) {
  if (!vault::is_new_vault(bytes) || !line) return;
  vault_lost();
  vault_ = std::make_unique<gate::Line>(
      loop_, std::move(line), [this](std::string_view packet, Fd attached) { vault_said(packet, std::move(attached)); },
      [this] { ended_later(vault_.get()); });
}

// Its successor may be there before.
void VaultDoor::ended_later(const gate::Line* line) {
  lifeline_.later([this, line] {
    if (vault_.get() == line) vault_lost();
  });
}

// SECURITY: the hosts stay bound, and cannot be reached.
void VaultDoor::keeper_lost() {
  log_error("the keeper of the vault has ended: hosts with a credential cannot be reached until the next start");
  lost_ = true;
  for (const auto& [ticket, waiting] : dials_) fail(ticket, kNoVault);
}

// What was asked of it fails; what was not waits for the next.
void VaultDoor::vault_lost() {
  if (!vault_) return;
  loop_.discard(std::move(vault_));
  ready_ = false;
  parts_.clear();
  for (const auto& [ticket, waiting] : dials_)
    if (waiting.asked) fail(ticket, kNoVault);
}

void VaultDoor::vault_said(std::string_view bytes, Fd attached) {
  auto message = vault::decode_from_vault(bytes);
  if (!message) return log_error("{}", message.error().what());
  if (const auto* part = std::get_if<vault::BindingsPart>(&*message)) return heard(*part);
  heard(std::get<gate::Dialed>(*message), std::move(attached));
}

void VaultDoor::heard(const vault::BindingsPart& part) {
  parts_ += part.text;
  if (parts_.size() > kLargestBindings) parts_.clear();
  if (!part.last) return;
  auto bindings = vault::decode_bindings(std::exchange(parts_, {}));
  // Not acknowledged, so that the daemon that changed them learns that they do not hold here.
  if (!bindings) return log_error("{}", bindings.error().what());
  bindings_ = vault::with_memory_of(bindings_, std::move(*bindings));
  on_change_();
  vault_->send(encode(vault::Held{part.number}));
  ready_ = true;
  for (auto& [ticket, waiting] : dials_)
    if (!waiting.asked) ask(ticket, waiting);
}

void VaultDoor::heard(gate::Dialed& dialed, Fd attached) {
  if (auto* failed = std::get_if<gate::Failed>(&dialed.outcome))
    return finish(dialed.ticket, proxy::Failed{std::move(failed->why)});
  if (auto* refused = std::get_if<gate::Refused>(&dialed.outcome))
    return finish(dialed.ticket, proxy::Refused{std::move(refused->verdict)});
  auto& reached = std::get<gate::Reached>(dialed.outcome);
  if (!attached) return finish(dialed.ticket, proxy::Failed{"the sandbox has too many connections open"});
  finish(dialed.ticket, proxy::Reached{std::move(attached), reached.address, std::move(reached.verdict)});
}

}  // namespace sbx::shim
