// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "archive/block.h"
#include "archive/extended.h"
#include "archive/member.h"
#include "archive/stream.h"
#include "base/result.h"

namespace sbx::archive {

// Reads ustar, pax and GNU archives from a stream, entry by entry. It trusts nothing: every length is bounded, and an
// archive that ends before its end mark is an error. What names mean is not checked here; see unpack.h.
class ArchiveReader {
 public:
  explicit ArchiveReader(Source source) : input_(std::move(source)) {}

  // The next entry; whatever is left of the one before is skipped. Nothing after the last, and the stream is then
  // read to its end.
  Result<std::optional<Member>> next();
  // Some of the entry's content, valid until the next call; empty after the last byte.
  Result<std::string_view> content();

 private:
  Result<> skip_content();
  Result<std::string> extension_text(const BlockHeader& header);
  Result<> extend(const BlockHeader& header, Extension& extension);
  Result<Member> member_of(const BlockHeader& header, Extension extension);
  Result<> finish();

  BufferedSource input_;
  std::int64_t left_ = 0;    // of the content
  std::size_t padding_ = 0;  // after it
};

}  // namespace sbx::archive
