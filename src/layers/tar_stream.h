// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "digest/sha256.h"

struct archive;

namespace sbx::layers {

// A layer as it is passed around, a tar archive that may be compressed (gzip, zstd, xz, bzip2), read from a descriptor
// as the archive itself. The descriptor is borrowed. Counts and digests what it reads:
//   TRY_ASSIGN(auto stream, TarStream::open(0));
//   ... read() until it returns 0 bytes ...
//   stream->diff_id()
class TarStream {
 public:
  static Result<std::unique_ptr<TarStream>> open(int fd);

  // The next bytes of the archive, valid until the next call; none at EOF.
  Result<std::span<const char>> read();
  // Passes over bytes that need not be read: those of a file that is not compressed. Returns how many, all or none, and
  // diff_id() is not known any more.
  std::int64_t skip(std::int64_t bytes);

  bool is_compressed() const;
  std::int64_t bytes() const { return bytes_; }                 // of the archive, so far
  std::int64_t blob_bytes() const;                              // of what came in, so far
  std::string diff_id() { return "sha256:" + hash_.finish(); }  // once, after EOF, if nothing was skipped

 private:
  struct Free {
    void operator()(struct archive* reader) const;
  };
  explicit TarStream(std::unique_ptr<struct archive, Free> reader);
  void read_plain_from(int fd, std::int64_t start);
  Result<std::size_t> fill();

  std::unique_ptr<struct archive, Free> reader_;
  std::unique_ptr<char[]> buffer_;
  int plain_ = -1;         // a file that is not compressed: read without libarchive, which would copy every byte
  std::int64_t size_ = 0;  // of that file, from where the archive begins
  digest::Sha256 hash_;
  std::int64_t bytes_ = 0;
};

// "read the layer: truncated gzip input", from what libarchive has to say.
Failure archive_failure(struct archive* failed, std::string_view doing);

}  // namespace sbx::layers
