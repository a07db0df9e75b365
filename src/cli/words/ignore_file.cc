// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/ignore_file.h"

#include <fnmatch.h>

#include <algorithm>
#include <span>

#include "base/text.h"

namespace sbx::cli {
namespace {

using PathComponents = std::vector<std::string>;

PathComponents path_components(std::string_view path) {
  PathComponents parts;
  for (const std::string& part : split(path, '/'))
    if (!part.empty() && part != "." && !(part == "**" && !parts.empty() && parts.back() == "**"))
      parts.push_back(part);
  return parts;
}

bool matches_path(std::span<const std::string> pattern, std::span<const std::string> path) {
  if (pattern.empty()) return path.empty();
  if (pattern.front() == "**") {
    for (std::size_t skipped = 0; skipped <= path.size(); ++skipped)
      if (matches_path(pattern.subspan(1), path.subspan(skipped))) return true;
    return false;
  }
  return !path.empty() && ::fnmatch(pattern.front().c_str(), path.front().c_str(), 0) == 0 &&
         matches_path(pattern.subspan(1), path.subspan(1));
}

// The path, or a directory that it is in.
bool matches_parent(const PathComponents& pattern, std::span<const std::string> path) {
  for (std::size_t length = 1; length <= path.size(); ++length)
    if (matches_path(pattern, path.first(length))) return true;
  return false;
}

}  // namespace

IgnoreFile IgnoreFile::parse(std::string_view text) {
  IgnoreFile file;
  for (const std::string& line : split(text, '\n')) {
    std::string_view pattern = trimmed(line);
    if (pattern.empty() || pattern.starts_with('#')) continue;
    const bool keeps = pattern.starts_with('!');
    if (keeps) pattern = trimmed(pattern.substr(1));
    if (PathComponents parts = path_components(pattern); !parts.empty())
      file.patterns_.push_back({std::move(parts), keeps});
  }
  return file;
}

bool IgnoreFile::leaves_out(std::string_view path) const {
  const PathComponents parts = path_components(path);
  const auto last = std::ranges::find_if(patterns_.rbegin(), patterns_.rend(),
                                         [&](const Pattern& pattern) { return matches_parent(pattern.parts, parts); });
  return last != patterns_.rend() && !last->keeps;
}

bool IgnoreFile::leaves_out_all_below(std::string_view directory) const {
  return leaves_out(directory) && std::ranges::none_of(patterns_, &Pattern::keeps);
}

}  // namespace sbx::cli
