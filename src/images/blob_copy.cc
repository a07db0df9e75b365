// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/blob_copy.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "base/file.h"
#include "base/log.h"

namespace sbx::images {
namespace {

constexpr std::size_t kAtOnce = 64u << 10;

// False: there is no reader, or the source broke.
bool relay(const Fd& from, const Fd& reader, std::optional<blobs::NewBlob>& copy) {
  std::array<char, kAtOnce> buffer;
  for (;;) {
    const ssize_t n = ::read(from.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    const std::string_view piece(buffer.data(), static_cast<std::size_t>(n));
    if (copy && !copy->append(piece)) copy.reset();
    if (!write_all(reader, piece)) return false;
  }
}

void copy_blob(const Fd& from, Fd reader, std::optional<blobs::NewBlob> copy) {
  const bool is_whole = relay(from, reader, copy);
  reader.reset();  // EOF: keeping it takes longer than reading it
  if (!is_whole || !copy) return;
  if (const auto kept = copy->finish(); !kept) log_warning("a layer is not kept for Docker: {}", kept.error().what());
}

}  // namespace

Result<BlobCopy> BlobCopy::begin(Fd from, blobs::NewBlob to) {
  TRY_ASSIGN(Pipe pipe, make_pipe());
  std::thread thread([from = std::move(from), writer = std::move(pipe.write),
                      copy = std::optional<blobs::NewBlob>(std::move(to))]() mutable {
    copy_blob(from, std::move(writer), std::move(copy));
  });
  return BlobCopy(std::move(pipe.read), std::move(thread));
}

void BlobCopy::finish() {
  reader_.reset();
  if (thread_.joinable()) thread_.join();
}

}  // namespace sbx::images
