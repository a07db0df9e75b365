// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/control.h"

#include <sys/epoll.h>

#include <algorithm>

#include "base/socket.h"
#include "wire/sandbox.h"

namespace sbx::gate {
namespace {

constexpr std::size_t kMostAskers = 64;
constexpr auto kPatience = std::chrono::milliseconds(500);

}  // namespace

Control::Control(loop::Loop& loop, Fd listener, uid_t owner, OnRequest on_request)
    : loop_(loop), listener_(std::move(listener)), owner_(owner), on_request_(std::move(on_request)) {
  loop_.watch(listener_, EPOLLIN, [this](std::uint32_t) { accept(); });
}

Control::~Control() {
  for (const Asker& asker : askers_) loop_.forget(asker.socket);
  loop_.forget(listener_);
}

void Control::accept() {
  auto socket = accept_unix(listener_);
  if (!socket || askers_.size() >= kMostAskers) return;
  const auto peer = peer_of(*socket);
  if (!peer || (peer->uid != owner_ && peer->uid != 0)) return;
  // A peer of ours sends its whole request at once; one that does not must not hold up the network.
  if (!set_timeouts(*socket, kPatience)) return;
  const std::uint64_t number = next_++;
  askers_.push_back({std::move(*socket), number});
  loop_.watch(askers_.back().socket, EPOLLIN, [this, number](std::uint32_t) { read(number); });
}

void Control::read(std::uint64_t number) {
  const auto asker = find(number);
  const auto message = receive_message(asker->socket);
  loop_.forget(asker->socket);
  if (!message || !*message) {
    askers_.erase(asker);
    return;
  }
  const auto json = parse_json((*message)->body);
  if (!json || !json->is_object()) return answer(number, wire::encode(Error(Code::kInvalid, "not a request")));
  on_request_(*json, [this, number](const Json& reply) { answer(number, reply); });
}

void Control::answer(std::uint64_t number, const Json& json) {
  const auto asker = find(number);
  if (asker == askers_.end()) return;
  (void)send_message(asker->socket, dump(json));  // an asker that is gone needs no answer
  askers_.erase(asker);
}

std::list<Control::Asker>::iterator Control::find(std::uint64_t number) {
  return std::ranges::find(askers_, number, &Asker::number);
}

}  // namespace sbx::gate
