// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "layers/digest.h"

struct archive;

namespace sbx::layers {

// A layer as it is passed around, a tar archive that may be compressed (gzip, zstd, xz, bzip2), read from a descriptor
// as the archive itself. Counts and digests what it reads:
//   TRY_ASSIGN(auto stream, TarStream::open(0));
//   ... read() until it returns 0 bytes ...
//   stream->diff_id()
class TarStream {
 public:
  static Result<std::unique_ptr<TarStream>> open(int fd);

  // The next bytes of the archive, valid until the next call; none at EOF.
  Result<std::span<const char>> read();

  bool is_compressed() const;
  std::int64_t bytes() const { return bytes_; }                 // of the archive, so far
  std::int64_t blob_bytes() const;                              // of what came in, so far
  std::string diff_id() { return "sha256:" + hash_.finish(); }  // once, after EOF

 private:
  struct Free {
    void operator()(struct archive* reader) const;
  };
  explicit TarStream(std::unique_ptr<struct archive, Free> reader);

  std::unique_ptr<struct archive, Free> reader_;
  std::unique_ptr<char[]> buffer_;
  Sha256 hash_;
  std::int64_t bytes_ = 0;
};

// "read the layer: truncated gzip input", from what libarchive has to say.
Failure archive_failure(struct archive* failed, std::string_view doing);

}  // namespace sbx::layers
