// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/attach_input.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/socket.h"

namespace sbx::cli {
namespace {

constexpr char kControlC = '\x03';

std::string frame_of(wire::Kind kind, std::string_view payload) {
  const auto header = wire::encode(wire::Header{static_cast<std::uint32_t>(payload.size()), wire::kClientStream, kind});
  return std::string(header.begin(), header.end()).append(payload);
}

}  // namespace

AttachInput::AttachInput(const Fd& connection, AttachOptions options, const Streams& streams, SignalReader signals,
                         Fd stop)
    : connection_(connection),
      options_(std::move(options)),
      streams_(streams),
      signals_(std::move(signals)),
      stop_(std::move(stop)),
      reading_(options_.interactive) {
  if (reading_) buffer_ = std::make_unique_for_overwrite<char[]>(wire::kHeaderSize + wire::kLargestPayload);
}

Result<AttachInput> AttachInput::create(const Fd& connection, AttachOptions options, const Streams& streams) {
  TRY_ASSIGN(SignalReader signals, SignalReader::take({SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH}));
  Fd stop(::eventfd(0, EFD_CLOEXEC));
  if (!stop) return fail_errno("make an eventfd");
  return AttachInput(connection, std::move(options), streams, std::move(signals), std::move(stop));
}

void AttachInput::run() {
  while (step()) {
  }
}

void AttachInput::stop() {
  const std::uint64_t one = 1;
  (void)!::write(stop_.get(), &one, sizeof one);
  hang_up();
}

void AttachInput::hang_up() { ::shutdown(connection_.get(), SHUT_RDWR); }

bool AttachInput::step() {
  std::array<pollfd, 3> ready{
      {{stop_.get(), POLLIN, 0}, {signals_.fd().get(), POLLIN, 0}, {reading_ ? streams_.in.get() : -1, POLLIN, 0}}};
  if (::poll(ready.data(), ready.size(), -1) < 0) return errno == EINTR;
  if (ready[0].revents != 0) return false;
  if (ready[1].revents != 0 && !take_signals()) return false;
  return ready[2].revents == 0 || take_input();
}

bool AttachInput::take_input() {
  char* payload = buffer_.get() + wire::kHeaderSize;
  const ssize_t n = ::read(streams_.in.get(), payload, wire::kLargestPayload);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (n <= 0 && options_.tty) return terminal_gone();
  if (n <= 0) {
    reading_ = false;
    return send(wire::Kind::kEnd, {});
  }
  if (options_.tty) return send_typed(std::string_view(payload, static_cast<std::size_t>(n)));
  const auto header = wire::encode(wire::Header{static_cast<std::uint32_t>(n), wire::kClientStream, wire::Kind::kData});
  std::copy(header.begin(), header.end(), buffer_.get());
  return send_frame(std::string_view(buffer_.get(), header.size() + static_cast<std::size_t>(n)));
}

bool AttachInput::send_typed(std::string_view typed) {
  DetachKeys::Typed keys = options_.detach_keys.filter(typed);
  if (options_.read_only && keys.bytes.find(kControlC) != std::string::npos) keys.detach = true;
  if (!options_.read_only && !keys.bytes.empty() && !send(wire::Kind::kData, keys.bytes)) return false;
  if (!keys.detach) return true;
  state_->detached = true;
  hang_up();
  return false;
}

bool AttachInput::take_signals() {
  while (const auto number = signals_.next())
    if (!take_signal(*number)) return false;
  return true;
}

bool AttachInput::take_signal(int number) {
  if (number == SIGWINCH) {
    const auto size = wire::encode(window_of(streams_));
    return !options_.tty || options_.read_only || send(wire::Kind::kResize, std::string_view(size.data(), size.size()));
  }
  if (options_.read_only || (options_.tty && (number == SIGTERM || number == SIGHUP))) return interrupt(number);
  const char payload = static_cast<char>(number);
  return send(wire::Kind::kSignal, std::string_view(&payload, 1));
}

bool AttachInput::terminal_gone() {
  // The kernel tells of a hang-up twice, by EOF and then by SIGHUP, which must not end us while we clean up.
  ::signal(SIGHUP, SIG_IGN);
  return interrupt(SIGHUP);
}

bool AttachInput::interrupt(int number) {
  state_->signal = number;
  hang_up();
  return false;
}

bool AttachInput::send(wire::Kind kind, std::string_view payload) { return send_frame(frame_of(kind, payload)); }

bool AttachInput::send_frame(std::string_view frame) {
  const std::scoped_lock held(state_->sending);
  return send_all(connection_, frame, "send to the sandbox").has_value();
}

void AttachInput::signal_closed() {
  // A sender that is stuck holds the lock: then the connection ends without this word.
  const std::unique_lock held(state_->sending, std::try_to_lock);
  const char number = SIGPIPE;
  const std::string frame = frame_of(wire::Kind::kSignal, std::string_view(&number, 1));
  if (held) (void)!::send(connection_.get(), frame.data(), frame.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace sbx::cli
