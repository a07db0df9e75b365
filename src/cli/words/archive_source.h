// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "cli/client/steps.h"

namespace sbx::cli {

// An archive to send: a file, a directory, which is sent as the archive of what is in it, or "-", standard input.
class ArchiveSource {
 public:
  static Result<ArchiveSource> open(const std::string& path, const Fd& standard_input);

  // A file that was named. Of standard input a part may have been read already, and a directory is no archive.
  const Fd* file() const { return is_file_ ? &fd_ : nullptr; }
  // `on_step` hears how much has been sent.
  Result<> send(const Client::OnBytes& to, const OnStep& on_step) const;

 private:
  ArchiveSource(Fd fd, bool is_directory, bool is_file, std::int64_t bytes)
      : fd_(std::move(fd)), is_directory_(is_directory), is_file_(is_file), bytes_(bytes) {}

  Fd fd_;
  bool is_directory_;
  bool is_file_;
  std::int64_t bytes_;  // 0: unknown
};

}  // namespace sbx::cli
