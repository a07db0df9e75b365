// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/ssh_agent_door.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/overloaded.h"
#include "sshagent/agent_message.h"
#include "sshagent/host_signature.h"
#include "sshagent/message_reader.h"

namespace sbx::shim {
namespace {

constexpr std::size_t kMostBound = 8;

}  // namespace

// One program's connection. It has one question under way at a time, and is not read meanwhile, nor while answers wait.
class SshAgentDoor::Client final : streams::Stream::Listener {
 public:
  Client(SshAgentDoor& door, std::unique_ptr<streams::Stream> program) : door_(door), program_(std::move(program)) {}

  void start(Place place) {
    place_ = place;
    program_->listen(*this);
  }

  void answer(const std::string& message) {
    asking_ = false;
    tell(message);
    drained();
  }

 private:
  void received(std::string_view bytes) override {
    reader_.add(bytes);
    go_on();
    if (!left_ && program_->queued() > 0) program_->pause();  // one that reads no answers is not heard
  }

  void go_on() {
    while (!left_ && !asking_ && program_->queued() == 0) {
      const auto message = reader_.next();
      if (!message) break;
      take(*message);
    }
    if (!asking_ && program_->queued() == 0 && (reader_.is_broken() || has_ended_)) leave();
  }

  void take(const std::string& message) {
    auto request = sshagent::parse_request(message);
    bool passed = false;
    if (const auto* bind = request ? std::get_if<sshagent::BindSession>(&*request) : nullptr)
      return tell(bind_to(*bind) ? sshagent::encode_success() : sshagent::encode_failure());
    if (request && std::holds_alternative<sshagent::ListKeys>(*request))
      passed = door_.ask(*this, sshagent::ListKeys{});
    if (auto* sign = request ? std::get_if<sshagent::Sign>(&*request) : nullptr) passed = ask_to_sign(std::move(*sign));
    if (!passed) return tell(sshagent::encode_failure());
    asking_ = true;
    program_->pause();
  }

  void tell(const std::string& message) { program_->send(sshagent::framed(message)); }

  // SECURITY: from then on it is a server that asks, by `ssh -A`, and it could log in anywhere.
  bool bind_to(const sshagent::BindSession& bind) {
    is_forwarded_ = is_forwarded_ || bind.forwarding;
    if (is_forwarded_ || bound_.size() >= kMostBound || !door_.connections_.host_with(bind.proof)) return false;
    if (!sshagent::has_signed(bind.proof.host_key, bind.proof.signature, bind.session)) return false;
    bound_.push_back(bind);
    return true;
  }

  bool ask_to_sign(sshagent::Sign sign) {
    const auto bound = std::ranges::find(bound_, sign.login.session, &sshagent::BindSession::session);
    if (is_forwarded_ || bound == bound_.end()) return false;
    const std::string& host_key = bound->proof.host_key;
    const auto host = door_.connections_.host_with(bound->proof);
    if (!host || (!sign.login.host_key.empty() && sign.login.host_key != host_key)) return false;
    return door_.ask(*this, sshagent::SignAt{std::move(sign), *host, host_key});
  }

  // Its stream may have a word more before it is destroyed.
  void leave() {
    if (!std::exchange(left_, true)) door_.drop(place_);
  }

  void ended() override {
    has_ended_ = true;
    go_on();
  }
  void failed(const Error&) override { leave(); }
  void drained() override {
    go_on();
    if (!left_ && !asking_ && program_->queued() == 0) program_->resume();
  }

  SshAgentDoor& door_;
  std::unique_ptr<streams::Stream> program_;
  Place place_;
  sshagent::MessageReader reader_{sshagent::kLargestRequest};
  std::vector<sshagent::BindSession> bound_;  // to servers of open connections, when they were bound
  bool is_forwarded_ = false;
  bool asking_ = false;
  bool has_ended_ = false;  // it asks no more
  bool left_ = false;
};

SshAgentDoor::SshAgentDoor(loop::Loop& loop, Fd signer, const SshConnections& connections)
    : loop_(loop),
      connections_(connections),
      lifeline_(loop),
      line_(
          loop, std::move(signer), [this](std::string_view bytes, const Fd&) { signer_said(bytes); },
          [this] { signer_lost(); }) {}

SshAgentDoor::~SshAgentDoor() = default;

void SshAgentDoor::serve(std::unique_ptr<streams::Stream> program) {
  if (clients_.size() >= kMostClients) return;
  const auto place = clients_.emplace(clients_.end(), std::make_unique<Client>(*this, std::move(program)));
  (*place)->start(place);
}

bool SshAgentDoor::ask(Client& client, decltype(sshagent::Ask::request) request) {
  if (lost_) return false;
  const sshagent::Ticket ticket = next_++;
  asked_[ticket] = &client;
  line_.send(encode(sshagent::Ask{ticket, std::move(request)}));
  return true;
}

// A client that has left meanwhile is in the table no more.
void SshAgentDoor::signer_said(std::string_view bytes) {
  const auto answer = sshagent::decode_answer(bytes);
  if (!answer) return log_error("{}", answer.error().what());
  const auto node = asked_.extract(answer->ticket);
  if (node.empty()) return;
  node.mapped()->answer(std::visit(
      Overloaded{[](const sshagent::Keys& keys) { return sshagent::encode_keys(keys.keys); },
                 [](const sshagent::Signature& signature) { return sshagent::encode_signature(signature.signature); },
                 [](const sshagent::Refused&) { return sshagent::encode_failure(); }},
      answer->outcome));
}

void SshAgentDoor::signer_lost() {
  log_error("the signer has ended: there is no ssh-agent until the next start");
  lost_ = true;
  lifeline_.later([this] {
    for (auto asked = asked_.begin(); asked != asked_.end(); asked = asked_.begin())
      asked_.extract(asked).mapped()->answer(sshagent::encode_failure());
  });
}

void SshAgentDoor::drop(Place place) {
  std::erase_if(asked_, [&](const auto& asked) { return asked.second == place->get(); });
  loop_.discard(std::move(*place));
  clients_.erase(place);
}

}  // namespace sbx::shim
