// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "blobs/service.h"

#include <utility>

#include "gate/message.h"

namespace sbx::blobs {
namespace {

constexpr std::size_t kMostIncoming = 64;
constexpr std::size_t kMostQueued = 1u << 20;  // a shim that does not read its answers is not heard

}  // namespace

Service::Service(loop::Loop& loop, Fd shim, BlobStore store)
    : loop_(loop),
      store_(std::move(store)),
      lifeline_(loop),
      shim_(
          loop, std::move(shim), [this](std::string_view bytes, const Fd&) { asked(bytes); },
          [this] { loop_.stop(); }) {
  shim_.hold_back_above(kMostQueued);
  shim_.send(encode(gate::Ready{}));
}

void Service::asked(std::string_view bytes) {
  const auto ask = decode_ask(bytes);
  if (!ask) return loop_.stop();  // it is not our shim any more
  if (auto found = store_.find(ask->blob))
    return shim_.send(encode(Answer{ask->ticket, found->size}), std::move(found->file));
  shim_.send(encode(Answer{ask->ticket, std::nullopt}), take_in(ask->blob));
}

Fd Service::take_in(const BlobId& id) {
  auto pair = incoming_.size() < kMostIncoming ? make_socket_pair() : fail(Code::kUnavailable, "too many");
  if (!pair || !set_nonblocking(pair->ours) || !set_nonblocking(pair->theirs)) return {};
  const auto place = incoming_.emplace(incoming_.end());
  *place = std::make_unique<Incoming>(loop_, store_, id, std::move(pair->ours),
                                      [this, place] { lifeline_.later([this, place] { incoming_.erase(place); }); });
  return std::move(pair->theirs);
}

}  // namespace sbx::blobs
