// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "loop/lifeline.h"
#include "loop/loop.h"
#include "policy/target.h"
#include "streams/socket_stream.h"
#include "tls/tls.h"
#include "vault/credentials.h"
#include "vault/frames.h"
#include "vault/injection.h"
#include "vault/mask.h"

namespace sbx::vault {

// One connection to a bound host: TLS to the server, frames to the shim. It writes each request itself, sets the
// credential, and passes back what the server says, with the credential overwritten wherever it is in it.
//
// SECURITY: the shim may have been taken over. Of each request it decides the method, the path, the fields and the
// body, as the guest can; it decides neither where it goes nor where it ends.
class Passage {
 public:
  struct Handlers {
    // Which credentials there are now.
    std::function<std::shared_ptr<const Credentials>()> credentials;
    // TLS is done, and the other end of the socket pair is the shim's; or why not. Once.
    std::function<void(Result<Fd> made)> on_open;
    // It may be destroyed, but not from inside the call.
    std::function<void()> on_done;
  };

  // `server`: a socket that the gate has connected to the target.
  Passage(loop::Loop& loop, policy::Target target, Handlers handlers);
  ~Passage();
  Passage(const Passage&) = delete;
  Passage& operator=(const Passage&) = delete;

  void connect(Fd server, SSL_CTX* context);

  // The credentials are others now, or time has passed: what they do not cover any more ends.
  void check(const Credentials& now, std::int64_t now_ms);

 private:
  struct ShimSide final : streams::Stream::Listener {
    explicit ShimSide(Passage& owner) : passage(owner) {}
    void received(std::string_view bytes) override { passage.shim_received(bytes); }
    void ended() override { passage.shim_ended(); }
    void failed(const Error&) override { passage.finish(); }
    void drained() override { passage.shim_drained(); }
    Passage& passage;
  };
  struct ServerSide final : streams::Stream::Listener {
    explicit ServerSide(Passage& owner) : passage(owner) {}
    void received(std::string_view bytes) override { passage.server_received(bytes); }
    void ended() override { passage.server_ended(); }
    void failed(const Error&) override { passage.finish(); }
    void drained() override { passage.server_drained(); }
    Passage& passage;
  };
  enum class State {
    kHead,     // of a request is awaited
    kLength,   // so many bytes of a body
    kChunks,   // of a body, until its end
    kBytes,    // whatever they are: after an upgrade
    kRefused,  // nothing is taken any more
  };

  void shaken(const Result<>& done);
  Result<Fd> open();
  void shim_received(std::string_view bytes);
  bool frame_received(ToVault kind, std::string_view bytes);
  bool take_head(std::string_view bytes);
  bool take_body(std::string_view bytes);
  bool take_end();
  void send_head(BoundRequest& request, const Injected& injected);
  void refuse(const NotInjected& refusal);
  void shim_ended();
  void shim_drained();
  void server_received(std::string_view bytes);
  void server_ended();
  void server_drained();
  void pass_back(std::string_view bytes);
  void finish_if_over();
  void fail(std::string why);
  void finish();

  loop::Loop& loop_;
  policy::Target target_;
  Handlers handlers_;
  ShimSide shim_side_{*this};
  ServerSide server_side_{*this};
  std::unique_ptr<tls::Tls> server_;
  std::unique_ptr<streams::SocketStream> shim_;
  FrameReader frames_{static_cast<std::uint8_t>(ToVault::kEnd)};
  State state_ = State::kHead;
  bool shim_over_ = false;  // it has half-closed
  bool server_over_ = false;
  std::uint64_t left_ = 0;  // of a body
  std::string unsent_;  // of which credential the request has; it goes with the response, so that the shim wakes once
  std::vector<std::string> used_;  // the names of credentials
  Mask mask_;
  loop::Loop::Timer limit_;
  loop::Lifeline lifeline_;
};

}  // namespace sbx::vault
