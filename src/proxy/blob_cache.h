// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/fd.h"
#include "blobs/blob_id.h"
#include "streams/stream.h"

namespace sbx::proxy {

// What was fetched from registries before, by any sandbox of the user's. It is a process of its own (src/blobs).
class BlobCache {
 public:
  using Ticket = std::uint64_t;

  struct Found {
    Fd file;  // for reading; none: it is not there
    std::uint64_t size = 0;
    // If it is not there: takes the blob, first blobs::size_prefix() and then the content, and keeps it if its digest
    // is right. None: it is not wanted.
    std::unique_ptr<streams::Stream> copy;
  };
  using OnFound = std::function<void(Found found)>;

  virtual ~BlobCache() = default;
  // Calls back once, never from inside this call, and not after cancel().
  virtual Ticket find(const blobs::BlobId& id, OnFound done) = 0;
  virtual void cancel(Ticket ticket) = 0;
  // A copy that is whole: what is queued is still to leave. One that is destroyed instead is not kept.
  virtual void finish(std::unique_ptr<streams::Stream> copy) = 0;
};

}  // namespace sbx::proxy
