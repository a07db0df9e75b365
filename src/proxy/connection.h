// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "proxy/answer.h"
#include "proxy/client_hello.h"
#include "proxy/connector.h"
#include "proxy/services.h"
#include "proxy/session.h"

namespace sbx::proxy {

// One connection of a guest's program, from its first byte to its end. It finds out what the client speaks, asks the
// policy, and puts a ProxySession in charge.
//
//   Sniffing ──▶ Dialing ──▶ Shaking ──▶ Serving      HTTP goes from Sniffing to Serving, which dials by itself;
//       ▲                                    │        what is refused inside TLS from Sniffing to Shaking.
//       └──────────── CONNECT ───────────────┘        Each may end in Over.
class Connection final : private streams::Stream::Listener {
 public:
  // It may be destroyed, but not from inside the call.
  using OnDone = std::function<void()>;

  // `target`: where a captured connection was going; none: to our forward proxy.
  Connection(ProxyServices& services, std::unique_ptr<streams::Stream> client, std::optional<policy::Target> target,
             OnDone on_done);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // After the policy has changed: whether it does what is not allowed any more.
  bool offends() const;
  void close();  // at once, from outside

 private:
  // A client that no session has yet.
  struct Client {
    std::unique_ptr<streams::Stream> stream;
    policy::Target target;
    std::string first;  // what it has said
    bool over = false;  // it has half-closed
  };
  // In place of a server, or the server.
  using Server = std::variant<Upstream, Answer>;

  // The states, each with all that there is in it. Only in Sniffing is the client read by us.
  struct Sniffing {
    Client client;
    // A server that may speak first, where the client does not.
    std::variant<std::monostate, std::unique_ptr<Connector>, Upstream> early = {};
  };
  struct Dialing {
    Client client;
    std::unique_ptr<Connector> connector;  // which knows what comes next
  };
  struct Shaking {  // hands with the client, whose server is there
    RequestOrigin origin;
    std::unique_ptr<tls::Tls> client;
    Server server;
  };
  using Serving = std::unique_ptr<ProxySession>;
  struct Over {};
  using State = std::variant<Over, Sniffing, Dialing, Shaking, Serving>;
  using OnConnected = std::function<void(Client client, Connected connected)>;

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
  void failed(const Error&) override { finish(); }
  void drained() override {}

  void serve_forward(std::unique_ptr<streams::Stream> client);
  void sniff(Client client);
  void look(Sniffing& sniffing);
  void look_at_hello(Sniffing& sniffing);
  void silent();
  void never_clear();
  void reached_early(Connected connected);
  void server_spoke(std::string_view bytes);

  void serve_http(Sniffing sniffing);
  void serve_http2(Sniffing sniffing);
  void serve_other(Sniffing sniffing);
  void serve_tls(Client client, const ClientHello& hello);
  void reached_tls(Client client, const ClientHello& hello, Connected connected, bool inspected);
  void tunnel(Client client, Connected connected, policy::Passes needs);
  void answer_inside_tls(Client client, const ClientHello& hello, Answer answer);
  void shake_hands(Client client, const ClientHello& hello, const std::string& protocol, Server server);
  void shaken(const Result<>& done);
  void speak(RequestOrigin origin, std::unique_ptr<streams::Stream> client, std::string first, Server server,
             bool http2);

  void dial(Client client, std::optional<Connector::Protocols> protocols, OnConnected then);
  void refuse(const policy::Target& target, const policy::Verdict& verdict);
  void serve(std::unique_ptr<ProxySession> session);
  void enter(State state);
  void finish();
  void limit(std::chrono::milliseconds time, void (Connection::*then)());

  ProxyServices& services_;
  OnDone on_done_;
  EarlyServer early_server_{*this};
  State state_;
  loop::Loop::Timer timer_;  // how long a state may last
};

}  // namespace sbx::proxy
