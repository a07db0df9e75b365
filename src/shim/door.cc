// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/door.h"

#include "base/log.h"
#include "policy/rules_file.h"

namespace sbx::shim {
namespace {

constexpr auto kFlushAfter = std::chrono::milliseconds(50);
constexpr std::size_t kBatch = 32u << 10;           // one more record still fits into a packet
constexpr std::size_t kMostQueued = 4u << 20;       // then records are dropped
constexpr std::size_t kMostQueuedDials = 8u << 20;  // then dials fail
constexpr std::size_t kLargestPolicy = policy::kLargestRulesFile;
constexpr const char* kNoGate = "the sandbox has no network until it is started again: its gate has ended";

}  // namespace

Door::Door(loop::Loop& loop, Fd socket, Handlers handlers)
    : loop_(loop),
      handlers_(std::move(handlers)),
      lifeline_(loop),
      line_(
          loop, std::move(socket), [this](std::string_view bytes, Fd attached) { packet(bytes, std::move(attached)); },
          [this] { lose(); }) {}

Door::~Door() {
  flush();
  if (!gone_) tell_losses();
}

proxy::Outside::Ticket Door::dial(const policy::Target& target, OnDialed done) {
  const Ticket ticket = next_++;
  dials_.emplace(ticket, std::move(done));
  if (gone_)
    fail(ticket, kNoGate);
  else if (line_.queued() > kMostQueuedDials)
    fail(ticket, "too many connections are being made");
  else
    line_.send(encode(gate::Dial{ticket, target}));
  return ticket;
}

void Door::cancel(Ticket ticket) {
  if (dials_.erase(ticket) != 0 && !gone_) line_.send(encode(gate::Cancel{ticket}));
}

void Door::fail(Ticket ticket, const std::string& why) {
  lifeline_.later([this, ticket, why] { finish(ticket, proxy::Failed{why}); });
}

void Door::finish(Ticket ticket, proxy::Dialed outcome) {
  auto node = dials_.extract(ticket);
  if (!node.empty()) node.mapped()(std::move(outcome));  // else it was cancelled meanwhile
}

void Door::record(const netlog::Record& record) {
  if (gone_) return;
  if (line_.queued() > kMostQueued) {
    lost_.add(record);
    return;
  }
  tell_losses();
  records_ += netlog::pack(record);
  if (records_.size() >= kBatch) return flush();
  if (!flushing_) flushing_ = loop_.after(kFlushAfter, [this] { flush(); });
}

void Door::tell_losses() {
  if (!lost_) return;
  log_warning("{} decisions are not in the network log: the gate does not keep up", lost_.count);
  line_.send(encode(gate::Lost{std::exchange(lost_, {})}));
}

void Door::flush() {
  if (!records_.empty() && !gone_) line_.send(gate::encode_records(records_));
  records_.clear();
}

void Door::packet(std::string_view bytes, Fd attached) {
  auto message = gate::decode_from_gate(bytes);
  if (!message) return log_error("{}", message.error().what());
  if (auto* dialed = std::get_if<gate::Dialed>(&*message)) heard(*dialed, attached);
  if (const auto* part = std::get_if<gate::PolicyPart>(&*message)) heard(*part);
  if (const auto* asked = std::get_if<gate::Flush>(&*message)) {
    flush();
    tell_losses();
    line_.send(encode(gate::Flushed{asked->flush}));
  }
  if (const auto* accepted = std::get_if<gate::Accepted>(&*message))
    if (attached) handlers_.on_accepted(accepted->port, std::move(attached));
}

void Door::heard(gate::Dialed& dialed, Fd& attached) {
  if (auto* failed = std::get_if<gate::Failed>(&dialed.outcome))
    return finish(dialed.ticket, proxy::Failed{std::move(failed->why)});
  if (auto* refused = std::get_if<gate::Refused>(&dialed.outcome))
    return finish(dialed.ticket, proxy::Refused{std::move(refused->verdict)});
  auto& reached = std::get<gate::Reached>(dialed.outcome);
  if (attached)
    return finish(dialed.ticket, proxy::Reached{std::move(attached), reached.address, std::move(reached.verdict)});
  line_.send(encode(gate::Cancel{dialed.ticket}));  // the gate's copy of the socket is the only one
  finish(dialed.ticket, proxy::Failed{"the sandbox has too many connections open"});
}

void Door::heard(const gate::PolicyPart& part) {
  policy_ += part.text;
  if (policy_.size() > kLargestPolicy) policy_.clear();
  if (!part.last) return;
  const auto rules = policy::read_rules(std::exchange(policy_, {}), "the policy from the gate");
  // Not acknowledged, so that the client that changed it learns that it does not hold here.
  if (!rules) return log_error("{}", rules.error().what());
  handlers_.on_policy(*rules);
  line_.send(encode(gate::Enforced{part.policy}));
}

void Door::lose() {
  log_error("{}", kNoGate);
  gone_ = true;
  records_.clear();
  for (const auto& [ticket, done] : dials_) fail(ticket, kNoGate);
  lifeline_.later([this] {
    if (handlers_.on_lost) handlers_.on_lost();
  });
}

}  // namespace sbx::shim
