// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "archive/block.h"
#include "archive/member.h"
#include "archive/stream.h"
#include "base/result.h"

namespace sbx::archive {

// Writes a ustar archive, with pax records for what ustar cannot hold. Call finish() at the end: an archive without it
// is cut off. After an error the archive is spoilt.
class ArchiveWriter {
 public:
  explicit ArchiveWriter(Sink sink) : sink_(std::move(sink)) {}

  // For a file, exactly entry.size bytes of content() follow.
  Result<> add(const Member& entry);
  Result<> content(std::string_view bytes);
  Result<> finish();

 private:
  Result<> put(std::string_view bytes);
  Result<> put(const Block& block) { return put({block.data(), block.size()}); }
  Result<> extend(const Member& entry);
  Result<> flush();

  Sink sink_;
  std::string buffer_;
  std::int64_t left_ = 0;
  std::size_t padding_ = 0;
};

}  // namespace sbx::archive
