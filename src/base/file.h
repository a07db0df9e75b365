// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace sbx {

Result<std::string> read_file(const std::string& path, std::size_t limit = 16u << 20);

// The new content is there whole or not at all, also after a power cut: temp file, fsync, rename, fsync of the
// directory.
Result<> write_file_atomically(const std::string& path, std::string_view content, unsigned mode = 0600);

// So that what was renamed to `path` is there after a power cut.
Result<> sync_directory_of(const std::string& path);

// As write_file_atomically, for what need not survive a power cut: whole or not at all when a process is killed, and no
// fsync.
Result<> replace_file(const std::string& path, std::string_view content, unsigned mode = 0600);

// As write_file_atomically, but only if nothing is there: kConflict otherwise.
Result<> create_file(const std::string& path, std::string_view content, unsigned mode = 0600);

// Plainly: for files that are made anew at every start, where a half-written one does no harm.
Result<> write_file(const std::string& path, std::string_view content, unsigned mode = 0600);

// As mkdir -p; directories that it makes get `mode`. An existing directory is left as it is.
Result<> make_directories(const std::string& path, unsigned mode = 0700);

bool exists(const std::string& path);

// What a directory holds, in order of name, but nothing whose name begins with a dot. None that can be read: nothing.
std::vector<std::string> names_in(const std::string& directory);

// A missing file is success.
Result<> remove_file(const std::string& path);

// Remove a tree without ever following a symbolic link or crossing into another file system. A missing path is success.
Result<> remove_tree(const std::string& path);

// The absolute path with every symbolic link resolved; the error names the path as the user gave it.
Result<std::string> canonical_path(const std::string& path);

}  // namespace sbx
