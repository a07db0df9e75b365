// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "archive/stream.h"
#include "base/result.h"
#include "builds/copy_rule.h"
#include "builds/workbench.h"

namespace sbx::builds {

struct CopyOptions {
  std::string owner{};             // --chown; empty: root
  std::optional<unsigned> mode{};  // --chmod
  std::string checksum{};          // --checksum of ADD: "sha256:..."
};

// What is at a path of the workbench.
enum class At { kNothing, kFile, kDirectory };
Result<At> look_at(Workbench& bench, const std::string& path);

// Whether these sources can be matched in a bounded time.
Result<> check_patterns(const std::vector<std::string>& sources);

// Copies what the rule takes of a tar archive, without the paths in `except`. kNotFound names the source that nothing
// matched.
Result<> copy_archive(const archive::Source& from, const CopyRule& rule, const CopyOptions& options, Workbench& bench,
                      const std::set<std::string>& except = {});
// Copies paths of another workbench.
Result<> copy_between(Workbench& from, const std::vector<std::string>& sources, const std::string& to,
                      bool is_directory, const CopyOptions& options, Workbench& bench);
// Makes one file.
Result<> copy_text(const std::string& content, const std::string& path, const CopyOptions& options, Workbench& bench);
// Makes a directory, and those above it, where there is none.
Result<> make_directory(const std::string& path, Workbench& bench);

}  // namespace sbx::builds
