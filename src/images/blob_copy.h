// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <thread>

#include "base/fd.h"
#include "base/result.h"
#include "blobs/blob_store.h"

namespace sbx::images {

// Where layers are kept as their registries have them, for the Docker daemons of sandboxes, which will ask for the
// same. Nothing: this one is not to be kept, or there is no room.
using KeepBlob = std::function<std::optional<blobs::NewBlob>(const blobs::BlobId& id, std::uint64_t size)>;

// Copies a blob while it is read. What goes wrong with the copy is no concern of the reader's.
//   TRY_ASSIGN(BlobCopy copy, BlobCopy::begin(std::move(from), std::move(to)));
//   ... reads copy.take_reader() to EOF, or closes it ...
//   copy.finish();
class BlobCopy {
 public:
  static Result<BlobCopy> begin(Fd from, blobs::NewBlob to);
  BlobCopy(BlobCopy&&) = default;
  BlobCopy& operator=(BlobCopy&&) = delete;
  ~BlobCopy() { finish(); }

  Fd take_reader() { return std::move(reader_); }
  void finish();  // keeps it, if all of it has come; `from` is closed then

 private:
  BlobCopy(Fd reader, std::thread thread) : reader_(std::move(reader)), thread_(std::move(thread)) {}

  Fd reader_;
  std::thread thread_;
};

}  // namespace sbx::images
