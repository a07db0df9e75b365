// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/bound_stream.h"

#include <algorithm>
#include <utility>

#include "vault/bound_request.h"

namespace sbx::proxy {
namespace {

constexpr const char* kCutOff = "the connection was cut off, by the server or with the sandbox's vault";

vault::BoundRequest bound(const Http1Request& request) {
  const http::RequestHead& head = request.head;
  return {head.method, head.path, head.fields, head.length, request.chunked, head.wants_websocket};
}

}  // namespace

void BoundStream::begin(const Http1Request& request) {
  credential_.clear();
  unsent_ += vault::frame(vault::ToVault::kHead, vault::encode(bound(request)));
  lifeline_.later([this] { pass_on({}); });
}

void BoundStream::pass_on(std::string_view frame) {
  if (unsent_.empty()) return frame.empty() ? void() : vault_->send(frame);
  vault_->send(std::exchange(unsent_, {}).append(frame));
}

void BoundStream::send(std::string_view bytes) {
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), vault::kLargestFrame)))
    pass_on(vault::frame(vault::ToVault::kBody, bytes.substr(0, vault::kLargestFrame)));
}

void BoundStream::end() { pass_on(vault::frame(vault::ToVault::kEnd, {})); }

void BoundStream::finish() {
  pass_on({});
  vault_->finish();
}

void BoundStream::listen(Stream::Listener& listener) {
  listener_ = &listener;
  vault_->listen(*this);
}

void BoundStream::received(std::string_view bytes) {
  if (over_) return;
  const loop::Lifeline::Witness witness(lifeline_);
  const auto taken = frames_.take(bytes, [this, &witness](std::uint8_t kind, std::string_view content) {
    if (over_) return false;
    const bool more = frame_received(static_cast<vault::ToShim>(kind), content);
    return !witness.gone() && more;
  });
  if (!witness.gone() && !taken) break_off(taken.error());
}

bool BoundStream::frame_received(vault::ToShim kind, std::string_view bytes) {
  switch (kind) {
    case vault::ToShim::kUsed:
      credential_ = bytes;
      return true;
    case vault::ToShim::kData:
      listener_->received(bytes);
      return true;
    case vault::ToShim::kEnd:
      over_ = true;
      listener_->ended();
      return false;
    case vault::ToShim::kRefused:
      break_off(Error(Code::kForbidden, std::string(bytes)));
      return false;
  }
  return false;
}

void BoundStream::ended() {
  if (!over_) break_off(Error(Code::kUnavailable, kCutOff));
}

void BoundStream::failed(const Error& why) {
  if (!over_) break_off(why);
}

void BoundStream::break_off(const Error& why) {
  over_ = true;
  listener_->failed(why);
}

void BoundStream::drained() {
  if (listener_ != nullptr && !over_) listener_->drained();
}

}  // namespace sbx::proxy
