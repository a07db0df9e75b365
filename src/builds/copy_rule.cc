// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "builds/copy_rule.h"

#include <fnmatch.h>

#include "base/text.h"

namespace sbx::builds {
namespace {

bool matches(const std::string& pattern, std::string_view path) {
  return ::fnmatch(pattern.c_str(), std::string(path).c_str(), FNM_PATHNAME) == 0;
}

std::string_view last_of(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

}  // namespace

std::string plain_path(std::string_view path) {
  std::vector<std::string> parts;
  for (const std::string& part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..")
      parts.push_back(part);
    else if (!parts.empty())
      parts.pop_back();
  }
  return join(parts, "/");
}

CopyRule::CopyRule(std::vector<std::string> sources, const std::string& destination, bool is_directory)
    : sources_(std::move(sources)), destination_("/" + plain_path(destination)), is_directory_(is_directory) {
  for (std::string& source : sources_) source = plain_path(source);
}

std::optional<CopyRule::Match> CopyRule::match(std::string_view path) const {
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    if (sources_[i].empty()) return Match{i, path, {}};  // all of it
    for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
      const std::string_view prefix = path.substr(0, end);
      if (matches(sources_[i], prefix))
        return Match{i, prefix.size() == path.size() ? std::string_view() : path.substr(prefix.size() + 1),
                     last_of(prefix)};
      if (end == std::string_view::npos) break;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> CopyRule::source_of(std::string_view path) const {
  const auto found = match(path);
  return found ? std::optional(found->source) : std::nullopt;
}

bool CopyRule::names(std::string_view path) const {
  const auto found = match(path);
  return found && found->rest.empty() && !found->name.empty();
}

// What matches is a directory when something is below it: its own entry is the destination.
std::optional<std::string> CopyRule::target_of(std::string_view path) const {
  const auto found = match(path);
  if (!found) return std::nullopt;
  const std::string base = destination_ == "/" ? "" : destination_;
  if (!found->rest.empty()) return base + "/" + std::string(found->rest);
  if (is_directory_ && !found->name.empty()) return base + "/" + std::string(found->name);
  return destination_;
}

}  // namespace sbx::builds
