// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace sbx::userconfig {

struct ReadFile {
  std::string content;
  bool executable = false;
};

// A regular file of the user's own, of at most 1 MiB. SECURITY: no link on the way is followed.
Result<ReadFile> read_own_file(const Fd& home, const std::string& path);

struct Listing {
  std::vector<std::string> files;  // paths from the home, in order
  std::vector<std::string> left;   // "skills/x/.env: its name is hidden"
};
// The documents and scripts below a directory, by the endings of their names. kNotFound: it is not there.
Result<Listing> list_documents(const Fd& home, const std::string& path);

}  // namespace sbx::userconfig
