// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/incoming.h"

#include <fcntl.h>

#include "base/format.h"

namespace sbx::images {

Result<Incoming> Incoming::make(const std::string& templates, std::int64_t most) {
  TRY_ASSIGN(auto scratch, Scratch::make(templates));
  TRY_ASSIGN(Fd fd, open_path(scratch->path() + "/archive", O_WRONLY | O_CREAT | O_EXCL));
  return Incoming(std::move(scratch), std::move(fd), most);
}

Result<> Incoming::write(std::string_view bytes) {
  if (static_cast<std::int64_t>(bytes.size()) > most_ - bytes_)
    return fail(Code::kTooLarge, sbx::format("the archive is larger than the {} MB that are free for it", most_ >> 20),
                "sandbox template prune");
  bytes_ += static_cast<std::int64_t>(bytes.size());
  return write_all(fd_, bytes);
}

}  // namespace sbx::images
