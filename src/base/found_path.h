// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "base/shared_directories.h"

namespace sbx {

// Where a path of the user's leads: a name in a directory that is held open, so that nothing can redirect it any more.
// A guest may still change what has the name: open it by the name, without following links.
struct FoundPath {
  Fd directory;      // O_PATH; none for a file that only a descriptor leads to (/proc/self/fd/3)
  std::string name;  // ".": it is the directory itself
  Fd file;           // O_PATH; what had the name, unless it is the directory itself; none: nothing had
  bool is_directory = false;

  const Fd& itself() const { return is_directory ? directory : file; }  // none: nothing is there
};

enum class LastLink { kFollowed, kKept };

// Follows the path as the kernel would, except that in a shared directory, and in all below it, no symbolic link is
// followed: kForbidden then, naming the link. Links that lead to a shared directory are the user's own and are
// followed. If nothing but the last name is missing, that is what was found. A path that ends in / or /. means a
// directory, and a link there is followed in any case.
//   TRY_ASSIGN(const FoundPath found, find_path("ws/out", LastLink::kFollowed, shared));
//   TRY_ASSIGN(const Fd file, open_beneath(found.directory, "report", O_WRONLY | O_CREAT | O_NOFOLLOW));
Result<FoundPath> find_path(const std::string& path, LastLink last, const SharedDirectories& shared);

// The absolute path, without any link, of what was found.
Result<std::string> canonical_path(const FoundPath& found);

// Opens a file of the user's for reading.
Result<Fd> open_to_read(const std::string& path, const SharedDirectories& shared);

}  // namespace sbx
