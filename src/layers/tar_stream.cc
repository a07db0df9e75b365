// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "layers/tar_stream.h"

#include <archive.h>
#include <archive_entry.h>

#include <cerrno>

#include "base/text.h"

namespace sbx::layers {
namespace {

constexpr std::size_t kBlock = 256u << 10;

using Filter = int (*)(struct archive*);
// Those that are done in this process: libarchive would start programs for others.
constexpr Filter kFilters[] = {::archive_read_support_filter_none, ::archive_read_support_filter_gzip,
                               ::archive_read_support_filter_zstd, ::archive_read_support_filter_xz,
                               ::archive_read_support_filter_bzip2};

}  // namespace

Failure archive_failure(struct archive* failed, std::string_view doing) {
  const char* said = ::archive_error_string(failed);
  const int number = ::archive_errno(failed);
  const bool no_room = number == ENOSPC || number == EDQUOT;
  return fail(no_room ? Code::kUnavailable : Code::kInvalid,
              std::string(doing) + ": " + (said == nullptr ? "unknown error" : printable(said)));
}

void TarStream::Free::operator()(struct archive* reader) const { ::archive_read_free(reader); }

TarStream::TarStream(std::unique_ptr<struct archive, Free> reader)
    : reader_(std::move(reader)), buffer_(std::make_unique<char[]>(kBlock)) {}

Result<std::unique_ptr<TarStream>> TarStream::open(int fd) {
  std::unique_ptr<struct archive, Free> reader(::archive_read_new());
  for (const Filter filter : kFilters)
    if (filter(reader.get()) != ARCHIVE_OK) return archive_failure(reader.get(), "read the layer");
  ::archive_read_support_format_raw(reader.get());
  ::archive_read_support_format_empty(reader.get());
  struct archive_entry* whole = nullptr;
  if (::archive_read_open_fd(reader.get(), fd, kBlock) != ARCHIVE_OK)
    return archive_failure(reader.get(), "read the layer");
  const int opened = ::archive_read_next_header(reader.get(), &whole);
  if (opened != ARCHIVE_OK && opened != ARCHIVE_EOF) return archive_failure(reader.get(), "read the layer");
  return std::unique_ptr<TarStream>(new TarStream(std::move(reader)));
}

Result<std::span<const char>> TarStream::read() {
  const la_ssize_t n = ::archive_read_data(reader_.get(), buffer_.get(), kBlock);
  if (n < 0) return archive_failure(reader_.get(), "read the layer");
  bytes_ += n;
  const std::span<const char> part(buffer_.get(), static_cast<std::size_t>(n));
  hash_.update({part.data(), part.size()});
  return part;
}

bool TarStream::is_compressed() const { return ::archive_filter_code(reader_.get(), 0) != ARCHIVE_FILTER_NONE; }

std::int64_t TarStream::blob_bytes() const { return ::archive_filter_bytes(reader_.get(), -1); }

}  // namespace sbx::layers
