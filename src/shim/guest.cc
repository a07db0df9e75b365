// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/guest.h"

#include <algorithm>

#include "base/clock.h"
#include "base/log.h"
#include "base/value.h"
#include "version.h"

namespace sbx::shim {
namespace {

using wire::Kind;

// Credit is given back in pieces of this size at least, so that it costs few frames.
constexpr std::size_t kCreditStep = wire::kWindow / 4;
// Beyond this the link has enough to do, and stdin waits, however many windows are open.
constexpr std::size_t kBusyLink = 1u << 20;

std::string own_version() { return SANDBOXD_VERSION "+" SANDBOXD_COMMIT; }

std::string_view view(const std::array<char, 4>& bytes) { return {bytes.data(), bytes.size()}; }

}  // namespace

Guest::Guest(loop::Loop& loop, Fd channel, wire::GuestConfig config, OnReady on_ready, OnLost on_lost,
             OnConnect on_connect)
    : on_ready_(std::move(on_ready)),
      on_lost_(std::move(on_lost)),
      on_connect_(std::move(on_connect)),
      config_(std::move(config)) {
  link_ = std::make_unique<channel::Link>(
      loop, std::move(channel),
      [this](const wire::Header& header, std::string_view payload) { frame(header, payload); },
      [this](Result<> why) {
        lose(why ? Error(Code::kUnavailable, "the guest has ended")
                 : std::move(why).error().within("the guest broke the protocol"));
      });
  connections_ =
      std::make_unique<channel::Connections>(loop, *link_, channel::Connections::Side::kHost,
                                             [this](std::string_view request, std::unique_ptr<streams::Stream> stream) {
                                               return connect(request, std::move(stream));
                                             });
  link_->when_drained([this] { drained(); });
}

void Guest::send(Kind kind, std::uint32_t stream, std::string_view payload) {
  if (link_) link_->send(kind, stream, payload);
}

// Each stream in turn, beginning behind the one that was the last to have room.
void Guest::drained() {
  connections_->link_drained();
  std::vector<std::uint32_t> waiting;
  for (auto it = streams_.upper_bound(last_served_); it != streams_.end(); ++it) waiting.push_back(it->first);
  for (auto it = streams_.begin(); it != streams_.upper_bound(last_served_); ++it) waiting.push_back(it->first);
  for (const std::uint32_t number : waiting) {
    const auto it = streams_.find(number);
    if (it == streams_.end() || it->second.listener == nullptr) continue;
    if (link_->queued() > kBusyLink) return;
    last_served_ = number;
    it->second.listener->writable();
  }
}

void Guest::break_off(std::string_view what) {
  lose(Error(Code::kInvalid, "the guest broke the protocol: " + std::string(what)));
}

void Guest::lose(Error why) {
  if (lost_) return;
  lost_ = true;
  on_lost_(std::move(why));
}

std::uint32_t Guest::open(const wire::ExecRequest& request, Listener& listener) {
  const std::uint32_t number = next_++;
  streams_.emplace(number, Stream{&listener});
  send(Kind::kOpen, number, text_of(request));
  return number;
}

void Guest::send_stdin(std::uint32_t stream, std::string_view bytes) {
  const auto it = streams_.find(stream);
  if (it == streams_.end()) return;
  it->second.may_send -= std::min(it->second.may_send, bytes.size());
  send(Kind::kData, stream, bytes);
}

void Guest::end_stdin(std::uint32_t stream) {
  if (streams_.contains(stream)) send(Kind::kEnd, stream);
}

void Guest::resize(std::uint32_t stream, std::string_view window) {
  if (streams_.contains(stream)) send(Kind::kResize, stream, window);
}

void Guest::signal(std::uint32_t stream, std::string_view number) {
  if (streams_.contains(stream)) send(Kind::kSignal, stream, number);
}

std::size_t Guest::room(std::uint32_t stream) const {
  const auto it = streams_.find(stream);
  if (it == streams_.end() || !link_ || link_->queued() > kBusyLink) return 0;
  return it->second.may_send;
}

void Guest::consumed(std::uint32_t number, std::size_t bytes) {
  const auto it = streams_.find(number);
  if (it == streams_.end()) return;
  Stream& stream = it->second;
  stream.unacknowledged += bytes;
  if (stream.unacknowledged < kCreditStep) return;
  stream.may_receive += stream.unacknowledged;
  send(Kind::kCredit, number, view(wire::encode_u32(static_cast<std::uint32_t>(stream.unacknowledged))));
  stream.unacknowledged = 0;
}

std::unique_ptr<streams::Stream> Guest::accept(const wire::Accept& what) {
  if (!connections_) return nullptr;
  return connections_->open(next_++, text_of(what));
}

void Guest::abandon(std::uint32_t number) {
  const auto it = streams_.find(number);
  if (it == streams_.end()) return;
  it->second.listener = nullptr;
  send(Kind::kGone, number);
}

void Guest::stop(std::chrono::milliseconds grace) {
  send(Kind::kStop, wire::kControlStream, text_of(wire::GuestStop{grace.count()}));
}

void Guest::tell_time(std::int64_t clock_us) {
  send(Kind::kClock, wire::kControlStream, text_of(wire::GuestClock{clock_us}));
}

void Guest::end(const std::string& why) {
  lost_ = true;
  for (const auto& [number, stream] : std::exchange(streams_, {}))
    if (stream.listener != nullptr) stream.listener->ended({125, 0, why});
  if (connections_) connections_->end(Error(Code::kUnavailable, why));
  connections_.reset();
  link_.reset();
}

void Guest::frame(const wire::Header& header, std::string_view payload) {
  if (lost_) return;
  if (header.stream == wire::kControlStream) return control_frame(header.kind, payload);
  if (phase_ != Phase::kReady) return break_off("a stream before it is ready");
  if (const auto it = streams_.find(header.stream); it != streams_.end())
    return stream_frame(header.stream, it->second, header.kind, payload);
  if (auto taken = connections_->take(header, payload); !taken)
    lose(std::move(taken).error().within("the guest broke the protocol"));
}

Result<> Guest::connect(std::string_view request, std::unique_ptr<streams::Stream> stream) {
  TRY_ASSIGN(auto wanted, value_in<wire::Connect>(request, "connect"));
  if (on_connect_) on_connect_(std::move(wanted), std::move(stream));
  return Ok{};
}

void Guest::control_frame(Kind kind, std::string_view payload) {
  switch (kind) {
    case Kind::kHello:
      return hello(payload);
    case Kind::kReady:
      return ready(payload);
    case Kind::kFailed:
      return lose(Error(Code::kInternal, "sandbox-init: " + std::string(payload.substr(0, 4096))));
    case Kind::kLog:
      return log_.say(payload.substr(0, 4096));
    default:
      return lose(Error(Code::kInvalid, "the guest sent a frame that only the host may send"));
  }
}

void Guest::ready(std::string_view payload) {
  if (phase_ != Phase::kGreeted) return break_off("it says that it is ready, out of turn");
  const auto ready = value_in<wire::GuestReady>(payload, "ready");
  if (!ready) return lose(ready.error());
  phase_ = Phase::kReady;
  on_ready_(*ready);
}

void Guest::hello(std::string_view payload) {
  if (phase_ != Phase::kSilent) return break_off("a second hello");
  const auto hello = value_in<wire::GuestHello>(payload, "hello");
  if (!hello) return lose(hello.error());
  if (hello->version != own_version())
    return lose(Error(Code::kInternal, "sandbox-init is " + hello->version + ", this is " + own_version()));
  phase_ = Phase::kGreeted;
  // A machine with a clock of its own has taken seconds to boot since the daemon looked at ours.
  if (config_.clock_us != 0) config_.clock_us = microseconds_of(now());
  send(Kind::kConfigure, wire::kControlStream, text_of(config_));
}

void Guest::stream_frame(std::uint32_t number, Stream& stream, Kind kind, std::string_view payload) {
  switch (kind) {
    case Kind::kOpened:
      return opened(stream, payload);
    case Kind::kOut:
    case Kind::kErr:
      return output(number, stream, kind, payload);
    case Kind::kCredit:
      return credited(stream, payload);
    case Kind::kExit:
      return exited(number, stream, payload);
    default:
      return lose(Error(Code::kInvalid, "the guest sent a frame that only the host may send"));
  }
}

void Guest::opened(Stream& stream, std::string_view payload) {
  const auto opened = value_in<wire::ExecOpened>(payload, "opened");
  if (!opened) return lose(opened.error());
  if (std::exchange(stream.opened, true)) return break_off("an exec that is opened twice");
  if (stream.listener != nullptr) stream.listener->opened(opened->pid);
}

void Guest::credited(Stream& stream, std::string_view payload) {
  const auto bytes = wire::decode_u32(payload);
  if (!bytes || stream.may_send + *bytes > wire::kWindow)
    return lose(Error(Code::kInvalid, "the guest gave too much credit"));
  stream.may_send += *bytes;
  if (stream.listener != nullptr) stream.listener->writable();
}

void Guest::output(std::uint32_t number, Stream& stream, Kind kind, std::string_view payload) {
  if (payload.empty()) return;  // it would cost no window, and a client's link a header
  if (payload.size() > stream.may_receive) return lose(Error(Code::kInvalid, "the guest sent more than its window"));
  stream.may_receive -= payload.size();
  if (stream.listener != nullptr) return stream.listener->output(kind, payload);
  consumed(number, payload.size());
}

void Guest::exited(std::uint32_t number, Stream& stream, std::string_view payload) {
  const auto exit = value_in<wire::ExecExit>(payload, "exit");
  if (!exit) return lose(exit.error());
  Listener* const listener = stream.listener;
  streams_.erase(number);
  if (listener != nullptr) listener->ended(*exit);
}

}  // namespace sbx::shim
