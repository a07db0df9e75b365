// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "http/body.h"
#include "proxy/answer.h"
#include "proxy/blob_pull.h"
#include "proxy/connector.h"
#include "proxy/http1_codec.h"
#include "proxy/log_line.h"
#include "proxy/services.h"
#include "proxy/session.h"
#include "proxy/standing.h"
#include "streams/relay.h"

namespace sbx::proxy {

// A client that speaks HTTP/1.1: one request after the other, each decided on its own and passed to a server that
// speaks it, too. Bodies are passed on as they come. Heads are made anew from what was understood, so that the server
// cannot understand them in another way.
class Http1 final : public ProxySession {
 public:
  // A forward proxy's client wants a tunnel; the stream is where the bytes after the CONNECT's head come from.
  using OnConnect =
      std::function<void(policy::Target target, std::unique_ptr<streams::Stream> client, std::string first)>;

  struct Inputs {
    std::unique_ptr<streams::Stream> client;
    std::string first;                    // what was read from it already
    std::optional<RequestOrigin> origin;  // none: a forward proxy
    std::optional<Upstream> upstream;     // to the origin, if it is there already
    std::optional<Answer> answer;         // to everything, in place of a server
    OnDone on_done;
    OnConnect on_connect;  // of a forward proxy
  };
  Http1(ProxyServices& services, Inputs inputs);
  ~Http1() override;

  bool offends(const policy::Policy& policy) const override;

 private:
  enum class State {
    kHead,     // of a request is awaited
    kWaiting,  // for a server
    kBody,     // of a request is passed on
    kSent,     // the request; the response is awaited or passed on
    kCached,   // the response is sent from the cache of blobs
    kRelay,    // upgraded
    kClosing,  // what is queued leaves, what comes is thrown away
  };
  struct ClientSide final : streams::Stream::Listener {
    explicit ClientSide(Http1& session) : http(session) {}
    void received(std::string_view bytes) override { http.client_received(bytes); }
    void ended() override { http.client_ended(); }
    void failed(const Error&) override { http.finish(); }
    void drained() override { http.client_drained(); }
    Http1& http;
  };
  struct ServerSide final : streams::Stream::Listener {
    explicit ServerSide(Http1& session) : http(session) {}
    void received(std::string_view bytes) override { http.server_received(bytes); }
    void ended() override { http.server_ended(); }
    void failed(const Error& why) override { http.server_broke(why); }
    void drained() override { http.server_drained(); }
    Http1& http;
  };

  // http1_request.cc
  bool awaits_first_word() const;
  bool is_other_protocol() const;
  void client_received(std::string_view bytes);
  void client_ended();
  void server_drained();
  void take_input();
  void take_input_soon();
  void read_on();
  void await_head();
  Result<> take_head();
  Result<> begin(std::string_view head);
  Result<> begin_tunnel();
  void decide();
  void reach_server();
  void connected(Connected connected);
  void give_up(const policy::Verdict& verdict, const std::string& why);
  void send_request();
  std::string_view pass_request_body(std::string_view bytes);
  void send_body(std::string_view data);
  void end_body();
  void request_sent();

  // http1_response.cc
  void server_received(std::string_view bytes);
  void server_ended();
  void server_broke(const Error& why);
  void server_failed(const std::string& why);
  void client_drained();
  std::string_view take_response_head(std::string_view bytes);
  void pass_head(Http1Response response);
  std::string_view pass_response_body(std::string_view bytes);
  void send_to_client(std::string_view data);
  void response_done();
  void upgrade();
  bool try_again();

  // http1_blob.cc
  bool find_blob();
  void resume_server();
  bool blob_judged(const http::ResponseHead& answer);
  void begin_blob();
  void send_blob();
  void blob_sent();

  // http1.cc
  bool encrypted() const { return standing_ && standing_->origin().encrypted; }
  const policy::Target& target() const { return standing_->origin().target; }
  void log(const policy::Target& target, const policy::Verdict& verdict);
  void refuse(const policy::Verdict& verdict);
  void refuse_credential(std::string why);
  void refuse_other_protocol();
  void reject(int status, const std::string& why);
  void head_late();
  void answer(const Answer& answer);
  void break_off(std::string_view why);
  void close();
  void finish();
  void limit(std::chrono::milliseconds time, void (Http1::*then)() = &Http1::finish);

  ProxyServices& services_;
  bool is_forward_;
  std::optional<Standing> standing_;  // of the origin; a forward proxy's is that of its last request
  std::optional<Answer> answer_;
  OnDone on_done_;
  OnConnect on_connect_;
  ClientSide client_side_{*this};
  ServerSide server_side_{*this};
  std::unique_ptr<streams::Stream> client_;
  std::optional<Upstream> upstream_;  // its stream is the relay's once there is one
  std::unique_ptr<Connector> connector_;
  std::unique_ptr<streams::Relay> relay_;
  State state_ = State::kHead;

  std::string input_;  // of the client, not yet understood
  Http1Request request_;
  http::BodyDecoder request_body_ = http::BodyDecoder::none();
  bool request_repeatable_ = false;  // it has no body and changes nothing, and nothing has been answered
  bool head_begun_ = false;
  bool asked_ = false;  // a request has been understood
  bool client_over_ = false;

  std::string response_input_;
  std::optional<Http1Response> response_;  // since its head is there
  bool reused_ = false;                    // the server's connection has had a request before
  std::unique_ptr<BlobPull> pull_;         // of a request for a blob of a registry

  std::unique_ptr<LogLine> entry_;
  loop::Loop::Timer timer_;
  loop::Lifeline lifeline_;
};

}  // namespace sbx::proxy
