// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sshagent/signer.h"

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "base/log.h"
#include "base/operation.h"
#include "gate/message.h"
#include "gate/ssh_question.h"
#include "sshagent/fingerprint.h"
#include "wire/error.h"
#include "wire/signer_control.h"

namespace sbx::sshagent {
namespace {

constexpr loop::MessageServer::Limits kSignerLimits{
    .askers = 16, .patience = std::chrono::seconds(10), .unread = 64u << 10};
constexpr std::size_t kMostQueuedForShim = 1u << 20;

}  // namespace

Signer::Signer(Inputs inputs)
    : loop_(inputs.loop),
      shim_(
          loop_, std::move(inputs.shim), [this](std::string_view bytes, const Fd&) { shim_said(bytes); },
          [this] { loop_.stop(); }),
      gate_(
          loop_, std::move(inputs.gate), [this](std::string_view bytes, const Fd&) { gate_said(bytes); },
          [this] { loop_.stop(); }),
      server_(loop_, std::move(inputs.control), inputs.owner, kSignerLimits,
              [this](loop::MessageServer::Asker asker, Message message) { take_agent(asker, std::move(message)); }) {
  shim_.hold_back_above(kMostQueuedForShim);
  shim_.send(encode(gate::Ready{}));
}

// The daemon's word. What the last agent was asked is refused.
void Signer::take_agent(loop::MessageServer::Asker asker, Message message) {
  const auto request = read_request<wire::SignerRequest>(message.body);
  const Error incomplete(Code::kInvalid, "the agent's connection or its log is missing");
  if (!request || message.fds.size() != 2)
    return server_.answer(asker, dump(wire::encode(request ? incomplete : request.error())));
  lose_agent();
  if (const auto set = set_nonblocking(message.fds[0]); !set)
    return server_.answer(asker, dump(wire::encode(set.error())));
  agent_ = std::make_unique<RealAgent>(loop_, std::move(message.fds[0]), [this] { lose_agent(); });
  log_ = std::make_unique<gate::Line>(
      loop_, std::move(message.fds[1]), [this](std::string_view bytes, const Fd&) { noted(bytes); },
      [this] { lose_agent(); });
  server_.answer(asker, dump(Json{{"ok", true}}));
}

// The two go together: the daemon that sees the end of its line makes another connection.
void Signer::lose_agent() {
  if (auto agent = std::move(agent_)) {
    agent->end();
    loop_.discard(std::move(agent));
  }
  if (log_) loop_.discard(std::move(log_));
  refuse_waiting();
}

void Signer::shim_said(std::string_view bytes) {
  auto ask = decode_ask(bytes);
  if (!ask) {
    log_error("the signer ends: its shim speaks nonsense");
    return loop_.stop();
  }
  ++under_way_;
  if (!agent_ || under_way_ > kMostUnderWay) return answer(ask->ticket, Refused{});
  if (auto* asked = std::get_if<SignAt>(&ask->request)) return ask_gate(ask->ticket, std::move(*asked));
  list(ask->ticket);
}

void Signer::list(Ticket ticket) {
  agent_->list([this, ticket](std::optional<std::vector<std::string>> keys) {
    if (keys)
      answer(ticket, Keys{std::move(*keys)});
    else
      answer(ticket, Refused{});
  });
}

void Signer::ask_gate(Ticket ticket, SignAt asked) {
  if (!takes_another()) return answer(ticket, Refused{});
  const Number number = next_++;
  waiting_for_gate_.emplace(number, Waiting{ticket, std::move(asked)});
  gate_.send(encode(gate::SshQuestion{number}));
}

bool Signer::takes_another() {
  const SteadyTime now = steady_now();
  while (!used_.empty() && now - used_.front() > std::chrono::minutes(1)) used_.pop_front();
  if (used_.size() >= kMostInAMinute) return false;
  used_.push_back(now);
  return true;
}

// SECURITY: without an open connection there is nothing to log in to, and what is signed would be used elsewhere.
void Signer::gate_said(std::string_view bytes) {
  const auto said = gate::decode_ssh_answer(bytes);
  if (!said) return loop_.stop();
  auto node = waiting_for_gate_.extract(said->number);
  if (node.empty()) return;
  const SignAt& asked = node.mapped().asked;
  if (std::ranges::find(said->hosts, asked.host) == said->hosts.end() || !log_)
    return answer(node.mapped().ticket, Refused{});
  tell_use(said->number, asked);
  waiting_for_log_.insert(std::move(node));
}

void Signer::tell_use(Number number, const SignAt& asked) {
  const wire::SshUse use{static_cast<std::int64_t>(number), fingerprint(asked.sign.key), asked.sign.login.user,
                         asked.host, fingerprint(asked.host_key)};
  log_->send(text_of(use));
}

void Signer::noted(std::string_view bytes) {
  const auto noted = value_in<wire::SshUseNoted>(bytes, "a use that was noted", Unknown::kIgnored);
  if (!noted) return lose_agent();
  auto node = waiting_for_log_.extract(static_cast<Number>(noted->number));
  if (node.empty() || !agent_) return;
  const Waiting& waiting = node.mapped();
  agent_->sign(waiting.asked.sign, [this, ticket = waiting.ticket](std::optional<std::string> signature) {
    if (signature)
      answer(ticket, Signature{std::move(*signature)});
    else
      answer(ticket, Refused{});
  });
}

void Signer::answer(Ticket ticket, decltype(Answer::outcome) outcome) {
  --under_way_;
  shim_.send(encode(Answer{ticket, std::move(outcome)}));
}

void Signer::refuse_waiting() {
  for (auto* waiting : {&waiting_for_gate_, &waiting_for_log_})
    for (const auto& [number, one] : std::exchange(*waiting, {})) answer(one.ticket, Refused{});
}

}  // namespace sbx::sshagent
