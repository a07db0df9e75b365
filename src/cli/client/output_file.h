// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "base/shared_directories.h"

namespace sbx::cli {

// A file of the user's that is written anew: it has its name when it is whole, and what failed leaves nothing. No link
// that a sandbox may have made in `shared` is followed (base/found_path.h), and a link of that name is replaced.
//   TRY_ASSIGN(OutputFile file, OutputFile::make("box.tar", shared));
//   TRY(write_all(file.fd(), bytes));
//   TRY(file.keep());
class OutputFile {
 public:
  static Result<OutputFile> make(const std::string& path, const SharedDirectories& shared);
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept = default;
  OutputFile& operator=(OutputFile&& other) = delete;

  const Fd& fd() const { return file_; }
  Result<> keep();

 private:
  OutputFile(Fd directory, std::string name) : directory_(std::move(directory)), name_(std::move(name)) {}

  Fd directory_;  // none: it was moved from
  std::string name_;
  std::string temporary_;
  Fd file_;
};

}  // namespace sbx::cli
