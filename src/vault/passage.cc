// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/passage.h"

#include <string.h>

#include <algorithm>
#include <utility>

#include "http/body.h"
#include "vault/wall_clock.h"

namespace sbx::vault {
namespace {

using streams::kHighWater;

constexpr auto kHandshakeLimit = std::chrono::seconds(10);
constexpr auto kLastWords = std::chrono::seconds(5);

std::string host_line(const policy::Target& target) {
  return target.port == policy::kHttpsPort ? target.host.text() : target.text();
}

void wipe(std::string& text) { ::explicit_bzero(text.data(), text.size()); }

}  // namespace

Passage::Passage(loop::Loop& loop, policy::Target target, Handlers handlers)
    : loop_(loop), target_(std::move(target)), handlers_(std::move(handlers)), lifeline_(loop) {}

Passage::~Passage() = default;

// SECURITY: HTTP/1.1 only. What the shim sends is not translated, and the vault needs no HTTP/2.
void Passage::connect(Fd server, SSL_CTX* context) {
  auto ssl = tls::make_client(context, target_.host, {"http/1.1"});
  if (!ssl) return fail(ssl.error().what());
  server_ = std::make_unique<tls::Tls>(
      loop_, std::move(*ssl),
      std::make_unique<streams::SocketStream>(loop_, std::move(server), streams::SocketStream::End::kShutDown));
  limit_ = loop_.after(kHandshakeLimit, [this] { fail("it did not finish the TLS handshake in time"); });
  server_->start({}, [this](const Result<>& done) { shaken(done); });
}

void Passage::shaken(const Result<>& done) {
  limit_.cancel();
  if (!done) return fail(done.error().what());
  if (!server_->protocol().empty() && server_->protocol() != "http/1.1") return fail("it does not speak HTTP/1.1");
  auto shims = open();
  if (!shims) return fail(shims.error().what());
  server_->listen(server_side_);
  std::exchange(handlers_.on_open, nullptr)(std::move(*shims));
}

Result<Fd> Passage::open() {
  TRY_ASSIGN(SocketPair pair, make_socket_pair());
  TRY(set_nonblocking(pair.ours));
  TRY(set_nonblocking(pair.theirs));
  shim_ = std::make_unique<streams::SocketStream>(loop_, std::move(pair.ours));
  shim_->listen(shim_side_);
  return std::move(pair.theirs);
}

// Later, because it may be the stream itself that calls.
void Passage::fail(std::string why) {
  lifeline_.later([this, why = std::move(why)] {
    if (const auto on_open = std::exchange(handlers_.on_open, nullptr)) on_open(sbx::fail(Code::kUnavailable, why));
    finish();
  });
}

void Passage::finish() {
  limit_.cancel();
  state_ = State::kRefused;
  if (const auto done = std::exchange(handlers_.on_done, nullptr)) done();
}

// From the shim.

void Passage::shim_received(std::string_view bytes) {
  const loop::Lifeline::Witness witness(lifeline_);
  const auto taken = frames_.take(bytes, [this](std::uint8_t kind, std::string_view content) {
    return frame_received(static_cast<ToVault>(kind), content);
  });
  if (!witness.gone() && !taken) finish();
}

bool Passage::frame_received(ToVault kind, std::string_view bytes) {
  if (state_ == State::kRefused) return false;
  bool fit = false;
  if (kind == ToVault::kHead) fit = take_head(bytes);
  if (kind == ToVault::kBody) fit = take_body(bytes);
  if (kind == ToVault::kEnd) fit = take_end();
  if (!fit) finish();
  return fit && state_ != State::kRefused;
}

bool Passage::take_head(std::string_view bytes) {
  if (state_ != State::kHead) return false;
  auto request = decode_request(bytes);
  if (!request) return false;
  const auto credentials = handlers_.credentials();
  const auto of_host = credentials->of_host(target_.host.text());
  const auto outcome = inject(*request, of_host, wall_milliseconds());
  if (const auto* refusal = std::get_if<NotInjected>(&outcome)) {
    refuse(*refusal);
    return true;
  }
  send_head(*request, std::get<Injected>(outcome));
  return true;
}

void Passage::send_head(BoundRequest& request, const Injected& injected) {
  for (const std::string& secret : injected.secrets) mask_.add(secret);
  if (!injected.credential.empty() && std::ranges::find(used_, injected.credential) == used_.end())
    used_.push_back(injected.credential);
  unsent_ = frame(ToShim::kUsed, injected.credential);
  std::string head = write(request, host_line(target_));
  server_->send(head);
  wipe(head);
  for (auto& [name, value] : request.fields) wipe(value);
  left_ = request.length.value_or(0);
  state_ = request.websocket ? State::kBytes : request.chunked ? State::kChunks : State::kLength;
}

bool Passage::take_body(std::string_view bytes) {
  if (state_ == State::kLength) {
    if (bytes.size() > left_) return false;
    left_ -= bytes.size();
  } else if (state_ != State::kChunks && state_ != State::kBytes) {
    return false;
  }
  if (!bytes.empty()) server_->send(state_ == State::kChunks ? std::string_view(http::chunk(bytes)) : bytes);
  if (server_->queued() > kHighWater) shim_->pause();
  return true;
}

bool Passage::take_end() {
  if (state_ != State::kChunks && (state_ != State::kLength || left_ != 0)) return false;
  if (state_ == State::kChunks) server_->send(http::last_chunk({}));
  state_ = State::kHead;
  return true;
}

void Passage::refuse(const NotInjected& refusal) {
  state_ = State::kRefused;
  server_.reset();
  shim_->resume();
  shim_->send(frame(ToShim::kUsed, refusal.credential) + frame(ToShim::kRefused, refusal.why));
  shim_->finish();
  limit_ = loop_.after(kLastWords, [this] { finish(); });
}

// Only after an upgrade does a half-close mean something; otherwise the shim has let go.
void Passage::shim_ended() {
  shim_over_ = true;
  if (state_ != State::kBytes || !server_) return finish();
  server_->finish();
  finish_if_over();
}

void Passage::shim_drained() {
  if (server_) server_->resume();
  finish_if_over();
}

void Passage::finish_if_over() {
  if (shim_over_ && server_over_ && shim_->queued() == 0) finish();
}

// From the server.

void Passage::server_received(std::string_view bytes) { pass_back(mask_.pass(bytes)); }

void Passage::pass_back(std::string_view bytes) {
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kLargestFrame)))
    shim_->send(std::exchange(unsent_, {}) + frame(ToShim::kData, bytes.substr(0, kLargestFrame)));
  if (shim_->queued() > kHighWater) server_->pause();
}

void Passage::server_ended() {
  pass_back(mask_.rest());
  const std::string end = server_->truncated() ? "" : frame(ToShim::kEnd, {});
  shim_->send(std::exchange(unsent_, {}) + end);
  shim_->finish();
  server_over_ = true;
  finish_if_over();
}

void Passage::server_drained() {
  if (shim_ && state_ != State::kRefused) shim_->resume();
}

// SECURITY: at once, also in the middle of a response. One whose value has changed stays: what it was sent with cannot
// be taken back, and a token that is renewed must not break off the answer of a model.
void Passage::check(const Credentials& now, std::int64_t now_ms) {
  if (state_ == State::kRefused) return;
  const auto of_host = now.of_host(target_.host.text());
  for (const std::string& name : used_) {
    const auto found = std::ranges::find_if(of_host, [&](const auto* each) { return each->name == name; });
    if (found == of_host.end()) return refuse(removed(name));
    if (has_expired(**found, now_ms)) return refuse(expired(name));
  }
  if (!of_host.empty()) return;
  if (shim_) return finish();
  fail("it is not bound any more");
}

}  // namespace sbx::vault
