// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "http/head.h"
#include "proxy/answer.h"
#include "proxy/connector.h"
#include "proxy/http2_peer.h"
#include "proxy/services.h"
#include "proxy/session.h"
#include "proxy/standing.h"

namespace sbx::proxy {

struct Exchange;

// A client that speaks HTTP/2, and a server that does: each stream of the one is a stream of the other. Windows are
// given back only when the other side has taken the bytes, so that a stream holds no more than a window.
class Http2 final : public ProxySession, private Http2Peer::Events {
 public:
  struct Inputs {
    std::unique_ptr<streams::Stream> client;
    std::string first;  // what was read from it already
    RequestOrigin origin;
    std::optional<Upstream> upstream;  // none: everything gets the answer
    std::optional<Answer> answer;
    OnDone on_done;
  };
  Http2(ProxyServices& services, Inputs inputs);
  ~Http2() override;

  bool offends(const policy::Policy& policy) const override;

 private:
  void head(Http2Peer& peer, std::int32_t stream, http::Headers headers, bool last) override;
  bool data(Http2Peer& peer, std::int32_t stream, std::string_view bytes) override;
  void end(Http2Peer& peer, std::int32_t stream) override;
  void closed(Http2Peer& peer, std::int32_t stream, std::uint32_t error) override;
  void consumed(Http2Peer& peer, std::int32_t stream, std::size_t bytes) override;
  void malformed(Http2Peer& peer, std::string_view why) override;
  void shut_down(Http2Peer& peer) override;
  void over(Http2Peer& peer) override;

  void request(std::int32_t stream, http::RequestHead head, bool last);
  void response(Exchange& exchange, http::Headers headers, bool last);
  void refuse(std::int32_t stream, const policy::Verdict& verdict, const http::RequestHead& head);
  void answer(std::int32_t stream, const Answer& answer, bool with_body);
  Exchange* find(const Http2Peer& peer, std::int32_t stream);
  Http2Peer& other(const Http2Peer& peer) { return &peer == client_.get() ? *server_ : *client_; }
  const policy::Target& target() const { return standing_.origin().target; }
  void rest();
  void idle();
  void finish();

  ProxyServices& services_;
  Standing standing_;
  std::optional<Answer> answer_;
  OnDone on_done_;
  std::optional<Upstream> upstream_;                             // its stream is the server's
  std::map<std::int32_t, std::unique_ptr<Exchange>> exchanges_;  // by the client's stream
  std::map<std::int32_t, Exchange*> by_server_stream_;
  loop::Loop::Timer idle_;
  bool leaving_ = false;  // no more streams are taken, because there were none for long
  std::unique_ptr<Http2Peer> client_;
  std::unique_ptr<Http2Peer> server_;  // none: there is no server
};

}  // namespace sbx::proxy
