// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/archive_source.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <vector>

#include "archive/pack.h"
#include "archive/stream.h"

namespace sbx::cli {
namespace {

constexpr std::size_t kPiece = 256u << 10;

}  // namespace

Result<ArchiveSource> ArchiveSource::open(const std::string& path, const Fd& standard_input) {
  TRY_ASSIGN(Fd fd, path == "-" ? duplicate(standard_input) : open_path(path, O_RDONLY));
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return fail_errno("look at " + path);
  const bool is_regular = S_ISREG(info.st_mode);
  return ArchiveSource(std::move(fd), S_ISDIR(info.st_mode), is_regular && path != "-", is_regular ? info.st_size : 0);
}

Result<> ArchiveSource::send(const Client::OnBytes& to, const OnStep& on_step) const {
  std::int64_t sent = 0;
  const auto send_some = [&](std::string_view bytes) -> Result<> {
    sent += static_cast<std::int64_t>(bytes.size());
    on_step({"sending the archive", sent, bytes_});
    return to(bytes);
  };
  if (is_directory_) return archive::pack(fd_, ".", send_some);
  const archive::Source source = archive::source_of(fd_);
  for (std::vector<char> piece(kPiece);;) {
    TRY_ASSIGN(const std::size_t n, source(piece));
    if (n == 0) return Ok{};
    TRY(send_some({piece.data(), n}));
  }
}

}  // namespace sbx::cli
