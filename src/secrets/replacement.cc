// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/replacement.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include "base/file.h"

namespace sbx::secrets {

Result<Replacement> Replacement::prepare(const std::string& path, std::string_view content) {
  // One daemon has the store, so that one name is enough, and what a crash has left is overwritten.
  Replacement replacement(path, path + ".new");
  TRY(write_file_atomically(replacement.prepared_, content));
  return replacement;
}

Replacement::Replacement(Replacement&& other) noexcept
    : path_(std::move(other.path_)), prepared_(std::exchange(other.prepared_, {})) {}

Replacement::~Replacement() {
  if (!prepared_.empty()) ::unlink(prepared_.c_str());
}

Result<> Replacement::put_in_place() && {
  if (std::rename(prepared_.c_str(), path_.c_str()) != 0) return fail_errno("rename to " + path_);
  prepared_.clear();
  return sync_directory_of(path_);
}

}  // namespace sbx::secrets
