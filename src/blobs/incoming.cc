// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "blobs/incoming.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "blobs/message.h"

namespace sbx::blobs {

Incoming::Incoming(loop::Loop& loop, const BlobStore& store, BlobId id, Fd socket, OnDone on_done)
    : store_(store), id_(std::move(id)), on_done_(std::move(on_done)), socket_(loop, std::move(socket)) {
  socket_.listen(*this);
}

void Incoming::received(std::string_view bytes) {
  if (!on_done_) return;
  if (!take(bytes)) finish();  // there is no room for it, or it is more than was said
}

Result<> Incoming::take(std::string_view bytes) {
  if (!blob_) {
    const std::size_t missing = std::min(kSizePrefix - prefix_.size(), bytes.size());
    prefix_ += bytes.substr(0, missing);
    bytes.remove_prefix(missing);
    if (prefix_.size() < kSizePrefix) return Ok{};
    TRY_ASSIGN(NewBlob blob, store_.begin(id_, size_in(prefix_)));
    blob_.emplace(std::move(blob));
  }
  return bytes.empty() ? Result<>() : blob_->append(bytes);
}

// One that was broken off ended early, and a registry may have sent anything: neither is kept.
void Incoming::ended() {
  const auto kept = blob_ ? blob_->finish() : Result<>();
  if (!kept && kept.error().code() != Code::kInvalid) log_error("the cache of blobs: {}", kept.error().what());
  finish();
}

void Incoming::finish() {
  blob_.reset();
  if (const OnDone done = std::exchange(on_done_, nullptr)) done();
}

}  // namespace sbx::blobs
