// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/piped.h"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace sbx::shim {
namespace {

// After each: the end of its input, TERM.
constexpr std::chrono::seconds kProgramGrace{5};
// For a client that does not read what the program has said.
constexpr std::chrono::seconds kLastRead{2};

// Not in braces: those of a string are a list of its characters.
std::string one_byte(int number) { return std::string(1, static_cast<char>(number)); }

}  // namespace

Piped::Piped(loop::Loop& loop, Guest& guest, OutputLog& log, Fd client, const wire::ExecRequest& request,
             OnDone on_done)
    : guest_(guest),
      log_(log),
      on_done_(std::move(on_done)),
      client_(std::make_unique<streams::SocketStream>(loop, std::move(client))),
      lifeline_(loop) {
  stream_ = guest_.open(request, *this);
  client_->listen(*this);
}

void Piped::output(wire::Kind kind, std::string_view bytes) {
  if (kind == wire::Kind::kErr) log_.append(bytes);
  if (kind == wire::Kind::kErr || gone_) return guest_.consumed(stream_, bytes.size());
  unsent_ += bytes.size();
  client_->send(bytes);
  if (client_->queued() == 0) drained();
}

void Piped::drained() {
  guest_.consumed(stream_, std::exchange(unsent_, 0));
  if (exit_) finish();
}

void Piped::received(std::string_view bytes) {
  if (exit_) return;  // no program reads it any more
  held_ += bytes;
  pump();
}

void Piped::writable() { pump(); }

void Piped::pump() {
  if (exit_) return;
  while (!held_.empty() && guest_.room(stream_) > 0) {
    const std::size_t size = std::min({held_.size(), guest_.room(stream_), std::size_t{wire::kLargestPayload}});
    guest_.send_stdin(stream_, std::string_view(held_).substr(0, size));
    held_.erase(0, size);
  }
  if (gone_ || is_ending_) {
    if (held_.empty()) guest_.end_stdin(stream_);
    return;
  }
  held_.empty() ? client_->resume() : client_->pause();
}

void Piped::ended() { end_program(); }

void Piped::failed(const Error&) {
  gone_ = true;
  held_.clear();
  guest_.consumed(stream_, std::exchange(unsent_, 0));
  if (exit_) return finish();
  end_program();
}

void Piped::end_program() {
  if (std::exchange(is_ending_, true)) return;
  pump();
  lifeline_.after(kProgramGrace, [this] { guest_.signal(stream_, one_byte(SIGTERM)); });
  lifeline_.after(2 * kProgramGrace, [this] { guest_.signal(stream_, one_byte(SIGKILL)); });
}

void Piped::ended(const wire::ExecExit& exit) {
  exit_ = std::make_unique<wire::ExecExit>(exit);
  if (!exit.error.empty()) log_.append(exit.error + "\n");
  held_.clear();
  if (gone_ || client_->queued() == 0) return finish();
  client_->pause();  // what it sends now would only be held, and it may send as fast as it can
  lifeline_.after(kLastRead, [this] { finish(); });
}

// Later, because we may be called from our own stream, and on_done_ destroys us.
void Piped::finish() {
  lifeline_.later([this] {
    if (const OnDone done = std::exchange(on_done_, {})) done(*exit_);
  });
}

}  // namespace sbx::shim
