// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "proxy/answer.h"
#include "proxy/client_hello.h"
#include "proxy/connector.h"
#include "proxy/services.h"
#include "proxy/session.h"

namespace sbx::proxy {

// One connection of a guest's program, from its first byte to its end. It finds out what the client speaks, asks the
// policy, and puts a Session in charge.
class Connection final : private streams::Stream::Listener {
 public:
  // It may be destroyed, but not from inside the call.
  using OnDone = std::function<void()>;

  // `target`: where a captured connection was going; none: to our forward proxy.
  Connection(Services& services, std::unique_ptr<streams::Stream> client, std::optional<policy::Target> target,
             OnDone on_done);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // After the policy has changed: whether it does what is not allowed any more.
  bool offends() const;
  void close();  // at once, from outside

 private:
  // A server that speaks first, while we still wait for the client.
  struct EarlyServer final : streams::Stream::Listener {
    explicit EarlyServer(Connection& owner) : connection(owner) {}
    void received(std::string_view bytes) override { connection.server_spoke(bytes); }
    void ended() override { connection.finish(); }
    void failed(const Error&) override { connection.finish(); }
    void drained() override {}
    Connection& connection;
  };

  void received(std::string_view bytes) override;
  void ended() override;
  void failed(const Error& why) override;
  void drained() override {}

  void serve_forward();
  void sniff(policy::Target target, std::string first);
  void look();
  void look_at_hello();
  void silent();
  void never_clear();
  void server_spoke(std::string_view bytes);

  void serve_http();
  void serve_http2();
  void serve_raw();
  void serve_other();
  void serve_tls(const ClientHello& hello);
  void reach(std::optional<Connector::Protocols> protocols, void (Connection::*then)(Connected connected));
  void reached_early(Connected connected);
  void reached_raw(Connected connected) { tunnel(std::move(connected), policy::Passes::kRaw); }
  void reached_other(Connected connected) { tunnel(std::move(connected), policy::Passes::kOther); }
  void reached_http2(Connected connected);
  void reached_bypassed(Connected connected);
  void reached_inspected(Connected connected);
  void tunnel(Connected connected, policy::Passes needs);
  void refuse_http2(const policy::Verdict& verdict);
  void speak_http2(std::unique_ptr<streams::Stream> client, bool encrypted, std::optional<Upstream> upstream);
  void refuse_inside_tls(const policy::Verdict& verdict);
  void answer_inside_tls(Answer answer);
  void shake_hands(const std::string& protocol);
  void shaken(const Result<>& done);

  void refuse(const policy::Verdict& verdict);
  void put_in_charge(std::unique_ptr<Session> session);
  policy::Host leaf_host() const;
  policy::Verdict verdict_so_far() const;
  void finish();
  void limit(std::chrono::milliseconds time, void (Connection::*then)());
  void no_limit();

  Services& services_;
  OnDone on_done_;
  std::unique_ptr<streams::Stream> client_;  // until a session has it
  std::optional<policy::Target> target_;
  std::string first_;  // what the client has said
  bool client_over_ = false;
  ClientHello hello_;
  EarlyServer early_server_{*this};
  std::unique_ptr<Connector> connector_;
  std::optional<Upstream> upstream_;
  std::optional<Answer> answer_;  // in place of an upstream
  std::unique_ptr<Tls> shaking_;
  std::unique_ptr<Session> session_;
  std::optional<loop::Loop::Timer> timer_;
};

}  // namespace sbx::proxy
