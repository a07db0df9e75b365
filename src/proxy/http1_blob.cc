// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// Blobs of registries: what was fetched before is served from the cache, if the server lets this client have it.
#include <utility>

#include "proxy/http1.h"

namespace sbx::proxy {

using streams::kHighWater;

// Whether it is known yet if the blob is here; if not, it goes on when it is.
bool Http1::find_blob() {
  if (!request_repeatable_) return true;  // the server may be asked twice
  pull_ = BlobPull::of(services_, standing_->origin(), request_.head,
                       {[this] { reach_server(); }, [this] { resume_server(); }});
  if (!pull_ || !pull_->asking()) return true;
  state_ = State::kWaiting;
  client_->pause();
  return false;
}

// What the server says is passed to the client, and to the cache: the slower of the two sets the pace.
void Http1::resume_server() {
  const bool full = client_ && client_->queued() > kHighWater;
  if (upstream_ && upstream_->stream && !full && !(pull_ && pull_->full())) upstream_->stream->resume();
}

// The server has been asked for the first byte of a blob that is here. Whether that settles it: if not, the answer is
// passed on as any other. The connection is closed if it does, and not kept for a client that will not ask on it:
// dockerd makes one for each blob, and a server that knows no parts is about to send all of it.
bool Http1::blob_judged(const http::ResponseHead& answer) {
  const BlobPull::Judgement judgement = pull_->judge(answer);
  if (judgement == BlobPull::Judgement::kPassOn) return false;
  upstream_.reset();
  if (judgement == BlobPull::Judgement::kAskAgain) {
    BlobPull::ask_for_all(request_.head);
    reach_server();
  } else {
    begin_blob();
  }
  return true;
}

void Http1::begin_blob() {
  state_ = State::kCached;
  Http1Response response{pull_->head(), "OK", http::BodyDecoder::none()};
  response.client_stays = !request_.is_last;
  entry_->answered(response.head.status);
  client_->send(write(response));
  send_blob();
}

void Http1::send_blob() {
  while (client_->queued() <= kHighWater) {
    const auto piece = pull_->read();
    if (!piece) return break_off(piece.error().what());
    if (piece->empty()) return blob_sent();
    client_->send(*piece);
  }
}

void Http1::blob_sent() {
  entry_.reset();
  pull_.reset();
  request_.is_last || client_over_ ? close() : await_head();
}

}  // namespace sbx::proxy
