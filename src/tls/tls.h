// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <openssl/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "ca/mint.h"
#include "loop/lifeline.h"
#include "loop/loop.h"
#include "policy/host.h"
#include "streams/stream.h"

namespace sbx::tls {

struct SslFree {
  void operator()(SSL* ssl) const;
  void operator()(SSL_CTX* context) const;
};
using SslPtr = std::unique_ptr<SSL, SslFree>;
using SslContext = std::unique_ptr<SSL_CTX, SslFree>;

// TLS 1.2 and 1.3, no renegotiation, no resumption. The client's verifies the peer against `roots` (PEM) and nothing
// else; roots that hold no certificate are an error.
Result<SslContext> make_server_context();
Result<SslContext> make_client_context(const std::string& roots);

// The two ends of a handshake. The server answers with `protocol` (ALPN; "": with none); the client offers `protocols`
// and insists on the host.
Result<SslPtr> make_server(SSL_CTX* context, ca::Mint& mint, const policy::Host& host, std::string_view protocol);
Result<SslPtr> make_client(SSL_CTX* context, const policy::Host& host, const std::vector<std::string>& protocols);

// TLS over another stream. What is sent before the handshake is done is sent after it.
class Tls final : public streams::Stream, private streams::Stream::Listener {
 public:
  using OnHandshake = std::function<void(Result<> done)>;  // once

  Tls(loop::Loop& loop, SslPtr ssl, std::unique_ptr<Stream> lower);
  ~Tls() override;

  // Begins, with what was read from the lower stream before. May call back at once.
  void start(std::string_view first, OnHandshake on_handshake);

  std::string protocol() const;  // what ALPN chose; "" if nothing
  // The peer's end came without a close_notify: an attacker may have cut it off (truncation).
  bool truncated() const { return truncated_; }

  void listen(Stream::Listener& listener) override;
  void send(std::string_view bytes) override;
  std::size_t queued() const override { return lower_->queued() + early_.size(); }
  void finish() override;
  void pause() override;
  void resume() override;

  // For OpenSSL, from beneath.
  std::size_t take_input(char* to, std::size_t size);
  void put_output(std::string_view bytes) { lower_->send(bytes); }

 private:
  void received(std::string_view bytes) override;
  void ended() override;
  void failed(const Error& why) override;
  void drained() override;

  void advance(std::string_view input);
  void advance_later();
  void shake_hands();
  void handshake_done();
  void read_plain();
  void close_write();
  void end(bool truncated);
  void break_off(const Error& why);

  std::unique_ptr<Stream> lower_;
  SslPtr ssl_;
  OnHandshake on_handshake_;
  Stream::Listener* listener_ = nullptr;
  std::string_view input_;  // of the call that is running
  std::string held_;        // of earlier calls, because we were paused
  std::string early_;       // to be sent after the handshake
  bool shaken_ = false;
  bool paused_ = false;
  bool finishing_ = false;
  bool lower_ended_ = false;
  bool ended_ = false;
  bool truncated_ = false;
  bool broken_ = false;
  loop::Lifeline lifeline_;
};

}  // namespace sbx::tls
