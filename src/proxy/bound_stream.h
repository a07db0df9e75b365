// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "loop/lifeline.h"
#include "proxy/http1_codec.h"
#include "streams/stream.h"
#include "vault/frames.h"

namespace sbx::proxy {

// A connection to a bound host: to the vault, in frames (vault/frames.h), which makes requests of them. What the server
// says comes as from any stream. It fails with kForbidden if the vault refuses the request.
//   stream.begin(request);  // the head
//   stream.send(bytes);     // the body, without its chunks
//   stream.end();           // also of an empty one
// After a request for a WebSocket there is no other and no end, and send() is for the bytes that follow.
class BoundStream final : public streams::Stream, private streams::Stream::Listener {
 public:
  BoundStream(loop::Loop& loop, std::unique_ptr<Stream> vault) : vault_(std::move(vault)), lifeline_(loop) {}

  void begin(const Http1Request& request);
  void end();
  // The name of the credential that the last request got; empty: none, or the vault has not said so yet.
  const std::string& credential() const { return credential_; }

  void listen(Stream::Listener& listener) override;
  void send(std::string_view bytes) override;
  std::size_t queued() const override { return unsent_.size() + vault_->queued(); }
  void finish() override;
  void pause() override { vault_->pause(); }
  void resume() override { vault_->resume(); }

 private:
  void received(std::string_view bytes) override;
  void ended() override;
  void failed(const Error& why) override;
  void drained() override;
  void pass_on(std::string_view frame);
  bool frame_received(vault::ToShim kind, std::string_view bytes);
  void break_off(const Error& why);

  std::unique_ptr<Stream> vault_;
  Stream::Listener* listener_ = nullptr;
  vault::FrameReader frames_{static_cast<std::uint8_t>(vault::ToShim::kRefused)};
  std::string unsent_;  // a head, which goes with what follows it in the same turn of the loop: the vault wakes once
  std::string credential_;
  bool over_ = false;
  loop::Lifeline lifeline_;
};

}  // namespace sbx::proxy
