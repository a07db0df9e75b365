// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/incoming.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/format.h"

namespace sbx::images {

Result<Incoming> Incoming::make(const std::string& templates, std::int64_t most) {
  TRY_ASSIGN(auto scratch, Scratch::make(templates));
  TRY_ASSIGN(Fd fd, open_path(scratch->path() + "/archive", O_RDWR | O_CREAT | O_EXCL));
  return Incoming(std::move(scratch), std::move(fd), most);
}

Result<Incoming> Incoming::of_file(const std::string& templates, const Fd& file) {
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return fail_errno("look at the archive");
  if (!S_ISREG(info.st_mode)) return fail(Code::kInvalid, "the archive is no file");
  TRY_ASSIGN(Fd fd, open_path("/proc/self/fd/" + std::to_string(file.get()), O_RDONLY));
  TRY_ASSIGN(auto scratch, Scratch::make(templates));
  Incoming archive(std::move(scratch), std::move(fd), 0);
  archive.bytes_ = info.st_size;
  return archive;
}

Result<> Incoming::write(std::string_view bytes) {
  if (static_cast<std::int64_t>(bytes.size()) > most_ - bytes_)
    return fail(Code::kTooLarge, sbx::format("the archive is larger than the {} MB that are free for it", most_ >> 20),
                "sandbox template prune");
  bytes_ += static_cast<std::int64_t>(bytes.size());
  return write_all(fd_, bytes);
}

}  // namespace sbx::images
