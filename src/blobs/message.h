// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "blobs/blob_id.h"

// What a shim and its cache of blobs say to each other, one packet each (gate/line.h).
namespace sbx::blobs {

using Ticket = std::uint64_t;

// From the shim, which the cache does not trust.
struct Ask {
  Ticket ticket;
  BlobId blob;
};

// A blob that is there comes with its size and a file, open for reading. One that is not comes with a stream socket, if
// there may be one more: what is sent on it, first the size (size_prefix()) and then the content, is kept if it ends
// there and has the digest. The socket is closed by the cache when it has been decided, or cannot be kept.
struct Answer {
  Ticket ticket;
  std::optional<std::uint64_t> size;
};

std::string encode(const Ask& ask);
std::string encode(const Answer& answer);
Result<Ask> decode_ask(std::string_view packet);
Result<Answer> decode_answer(std::string_view packet);

inline constexpr std::size_t kSizePrefix = sizeof(std::uint64_t);
std::string size_prefix(std::uint64_t size);
std::uint64_t size_in(std::string_view prefix);  // of kSizePrefix bytes

}  // namespace sbx::blobs
