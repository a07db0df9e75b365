// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "layers/tar_stream.h"

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>
#include <unistd.h>

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
  const off_t start = ::lseek(fd, 0, SEEK_CUR);
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
  std::unique_ptr<TarStream> stream(new TarStream(std::move(reader)));
  if (start >= 0 && !stream->is_compressed()) stream->read_plain_from(fd, start);
  return stream;
}

void TarStream::read_plain_from(int fd, std::int64_t start) {
  struct stat info {};
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || ::lseek(fd, start, SEEK_SET) != start) return;
  plain_ = fd;
  size_ = info.st_size - start;
}

Result<std::size_t> TarStream::fill() {
  const ssize_t n =
      plain_ >= 0 ? ::read(plain_, buffer_.get(), kBlock) : ::archive_read_data(reader_.get(), buffer_.get(), kBlock);
  if (n >= 0) return static_cast<std::size_t>(n);
  if (plain_ >= 0) return fail_errno("read the layer");
  return archive_failure(reader_.get(), "read the layer");
}

Result<std::span<const char>> TarStream::read() {
  TRY_ASSIGN(const std::size_t size, fill());
  bytes_ += static_cast<std::int64_t>(size);
  const std::span<const char> part(buffer_.get(), size);
  hash_.update({part.data(), part.size()});
  return part;
}

// Not beyond the end: that an archive is cut off is found by reading.
std::int64_t TarStream::skip(std::int64_t bytes) {
  if (plain_ < 0 || bytes <= 0 || bytes > size_ - bytes_ || ::lseek(plain_, bytes, SEEK_CUR) < 0) return 0;
  bytes_ += bytes;
  return bytes;
}

bool TarStream::is_compressed() const { return ::archive_filter_code(reader_.get(), 0) != ARCHIVE_FILTER_NONE; }

std::int64_t TarStream::blob_bytes() const { return plain_ >= 0 ? bytes_ : ::archive_filter_bytes(reader_.get(), -1); }

}  // namespace sbx::layers
