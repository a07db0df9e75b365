// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/attached.h"

#include "base/value.h"
#include "shim/upgrade.h"

namespace sbx::shim {
namespace {

using wire::Kind;

constexpr std::chrono::seconds kFarewell{2};

}  // namespace

Attached::Attached(loop::Loop& loop, Guest& guest, Fd client, const wire::ExecRequest& request, OnDone on_done)
    : guest_(guest), on_done_(std::move(on_done)), input_open_(request.interactive), lifeline_(loop) {
  answer_upgrade(client);
  stream_ = guest_.open(request, *this);
  client_ = std::make_unique<channel::Link>(
      loop, std::move(client),
      [this](const wire::Header& header, std::string_view payload) { client_frame(header, payload); },
      [this](Result<>) { client_gone(); });
  client_->when_drained([this] { drained(); });
}

Attached::~Attached() = default;

void Attached::opened(std::int64_t pid) {
  client_->send(Kind::kOpened, wire::kClientStream, text_of(wire::ExecOpened{pid}));
}

void Attached::output(Kind kind, std::string_view bytes) {
  client_->send(kind, wire::kClientStream, bytes);
  unsent_ += bytes.size();
  if (client_->queued() == 0) drained();
}

void Attached::drained() {
  guest_.consumed(stream_, std::exchange(unsent_, 0));
  if (exit_) finish();
}

// What was held goes first; the client is not read until it has gone.
void Attached::writable() {
  if (guest_.room(stream_) < wire::kLargestPayload) return;
  if (!held_.empty()) guest_.send_stdin(stream_, std::exchange(held_, {}));
  if (guest_.room(stream_) >= wire::kLargestPayload) client_->resume();
}

// The channel may have become busy with other things since the client was last told to go on.
void Attached::take_stdin(std::string_view bytes) {
  if (guest_.room(stream_) >= bytes.size())
    guest_.send_stdin(stream_, bytes);
  else
    held_ = bytes;
  if (guest_.room(stream_) < wire::kLargestPayload) client_->pause();
}

void Attached::ended(const wire::ExecExit& exit) {
  exit_ = std::make_unique<wire::ExecExit>(exit);
  client_->send(Kind::kExit, wire::kClientStream, text_of(exit));
  if (client_->queued() == 0) finish();
}

void Attached::client_frame(const wire::Header& header, std::string_view payload) {
  if (header.kind == Kind::kEnd) input_open_ = false;
  if (exit_) return;  // nothing of the guest's is left to tell
  switch (header.kind) {
    case Kind::kData:
      return take_stdin(payload);
    case Kind::kEnd:
      return guest_.end_stdin(stream_);
    case Kind::kResize:
      if (payload.size() == 4) guest_.resize(stream_, payload);
      return;
    case Kind::kSignal:
      if (payload.size() == 1) guest_.signal(stream_, payload);
      return;
    default:
      return;  // a client of another version; what it means is not for the guest
  }
}

void Attached::client_gone() {
  input_open_ = false;
  if (!exit_) guest_.abandon(stream_);
  if (on_left_) return left();
  finish();
}

void Attached::see_off(OnLeft on_left) {
  on_left_ = std::move(on_left);
  held_.clear();
  client_->resume();
  lifeline_.after(kFarewell, [this] { left(); });
}

// Later, because we may be called from our own link, and on_left_ destroys us.
void Attached::left() {
  lifeline_.later([on_left = std::exchange(on_left_, {})] {
    if (on_left) on_left();
  });
}

void Attached::finish() {
  if (std::exchange(over_, true)) return;
  // Later, because we are called from our own link, and on_done_ destroys us.
  lifeline_.later([this] {
    const OnDone done = std::move(on_done_);
    done(exit_.get());
  });
}

}  // namespace sbx::shim
