// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/dialer.h"

#include <algorithm>

#include "base/error.h"

namespace sbx::gate {
namespace {

constexpr std::size_t kMostUnderWay = 512;
constexpr std::size_t kMostWaitingDials = 16'384;

// The host's own, in the order in which its programs try them.
Addresses loopback() { return {*policy::Address::parse("127.0.0.1"), *policy::Address::parse("::1")}; }

}  // namespace

Dialer::Dialer(Inputs inputs, std::shared_ptr<const policy::Policy> policy)
    : inputs_(std::move(inputs)), policy_(std::move(policy)), lifeline_(inputs_.loop) {}

Dialer::~Dialer() {
  for (const auto& [ticket, job] : jobs_)
    if (job.question != 0) inputs_.resolver.forget(job.question);
}

bool Dialer::dial(const Dial& dial) {
  if (inputs_.loans.has(dial.ticket) || !known_.insert(dial.ticket).second) return false;
  waiting_.push_back(dial);
  lifeline_.later([this] { begin_next(); });
  return true;
}

void Dialer::cancel(Ticket ticket) {
  if (known_.erase(ticket) == 0) return inputs_.loans.end(ticket);
  if (const auto node = jobs_.extract(ticket); !node.empty()) inputs_.resolver.forget(node.mapped().question);
  begin_next();
}

// Those that were cancelled while they waited are known no more.
void Dialer::begin_next() {
  while (!waiting_.empty() && jobs_.size() < kMostUnderWay) {
    const Dial next = std::move(waiting_.front());
    waiting_.pop_front();
    if (!known_.contains(next.ticket)) continue;
    Job& job = jobs_.emplace(next.ticket, Job{next.target, 0, nullptr}).first->second;
    begin(next.ticket, job);
  }
  while (waiting_.size() > kMostWaitingDials) {
    const Dial last = std::move(waiting_.back());
    waiting_.pop_back();
    if (known_.contains(last.ticket)) give_up(last.ticket, "too many connections are being made");
  }
}

void Dialer::begin(Ticket ticket, Job& job) {
  policy::Verdict verdict = policy_->at_connect(job.target);
  if (!verdict.allowed()) return refuse(ticket, std::move(verdict));
  const policy::Host& host = job.target.host;
  if (host.address()) return connect(ticket, job, {*host.address()});
  if (const auto known = inputs_.hosts.find(host.text()); known != inputs_.hosts.end())
    return connect(ticket, job, known->second);
  if (host.is_local()) return connect(ticket, job, loopback());
  job.question =
      inputs_.resolver.ask(host.text(), [this, ticket](const Result<Addresses>& found) { resolved(ticket, found); });
}

void Dialer::resolved(Ticket ticket, const Result<Addresses>& addresses) {
  const auto job = jobs_.find(ticket);
  if (job == jobs_.end()) return;
  job->second.question = 0;
  if (!addresses) return give_up(ticket, addresses.error().what());
  connect(ticket, job->second, *addresses);
}

void Dialer::connect(Ticket ticket, Job& job, const Addresses& addresses) {
  const policy::Verdict before = policy_->at_connect(job.target);
  Addresses passed;
  policy::Verdict refusal;
  for (const policy::Address& address : addresses) {
    policy::Verdict verdict = policy_->at_address(job.target, before, address);
    if (verdict.allowed())
      passed.push_back(address);
    else
      refusal = std::move(verdict);
  }
  if (passed.empty() && !addresses.empty()) return refuse(ticket, std::move(refusal));
  std::erase_if(passed, [&](const policy::Address& each) { return inputs_.is_ours(each, job.target.port); });
  if (passed.empty())
    return give_up(ticket, addresses.empty() ? "resolve " + job.target.host.text() + ": it has no address"
                                             : "connect to " + job.target.text() + ": it leads back to the sandbox");
  job.race = std::make_unique<AddressRace>(
      inputs_.loop, std::move(passed), job.target.port,
      [this, ticket](AddressRace::Outcome outcome) { connected(ticket, std::move(outcome)); });
}

void Dialer::connected(Ticket ticket, AddressRace::Outcome outcome) {
  if (!outcome.socket) return give_up(ticket, std::move(outcome.error));
  const policy::Target& target = jobs_.at(ticket).target;
  policy::Verdict verdict = policy_->at_address(target, policy_->at_connect(target), *outcome.address);
  if (!verdict.allowed()) return refuse(ticket, std::move(verdict));
  if (auto lent = inputs_.loans.add(ticket, outcome.socket, target, *outcome.address); !lent)
    return give_up(ticket, lent.error().what());
  finish({ticket, Reached{std::move(verdict), *outcome.address}}, std::move(outcome.socket));
}

void Dialer::refuse(Ticket ticket, policy::Verdict verdict) { finish({ticket, Refused{std::move(verdict)}}, {}); }

void Dialer::give_up(Ticket ticket, std::string error) { finish({ticket, Failed{std::move(error)}}, {}); }

void Dialer::finish(const Dialed& dialed, Fd socket) {
  known_.erase(dialed.ticket);
  jobs_.erase(dialed.ticket);
  inputs_.on_dialed(dialed, std::move(socket));
  lifeline_.later([this] { begin_next(); });
}

}  // namespace sbx::gate
