// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/client/output_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/found_path.h"
#include "base/uuid.h"

namespace sbx::cli {

Result<OutputFile> OutputFile::make(const std::string& path, const SharedDirectories& shared) {
  TRY_ASSIGN(FoundPath found, find_path(path, LastLink::kKept, shared));
  if (found.is_directory) return fail(Code::kInvalid, path + " is a directory");
  if (!found.directory) return fail(Code::kInvalid, path + ": it has no name to write it by");
  OutputFile made(std::move(found.directory), std::move(found.name));
  made.temporary_ = "." + made.name_.substr(0, 200) + "." + new_uuid();
  TRY_ASSIGN(made.file_,
             open_beneath(made.directory_, made.temporary_, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666));
  return made;
}

OutputFile::~OutputFile() {
  if (directory_ && !temporary_.empty()) ::unlinkat(directory_.get(), temporary_.c_str(), 0);
}

Result<> OutputFile::keep() {
  if (::renameat(directory_.get(), temporary_.c_str(), directory_.get(), name_.c_str()) != 0)
    return fail_errno("write " + name_);
  temporary_.clear();
  return Ok{};
}

}  // namespace sbx::cli
