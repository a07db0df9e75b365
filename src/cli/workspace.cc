// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/workspace.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"

namespace sbx::cli {
namespace {

// True if there was one to take off.
bool take_suffix(std::string& text, std::string_view suffix) {
  if (!text.ends_with(suffix) || text.size() == suffix.size()) return false;
  text.erase(text.size() - suffix.size());
  return true;
}

bool is_directory(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

}  // namespace

Result<wire::Mount> parse_workspace(const std::string& operand) {
  std::string given = operand;
  const bool readonly = take_suffix(given, ":ro") || take_suffix(given, ":readonly");
  auto path = canonical_path(given);
  if (!path && path.error().code() == Code::kNotFound)
    return fail(Code::kInvalid, "workspace " + given + " does not exist", "mkdir -p " + given);
  if (!path) return fail(std::move(path).error().within("workspace").as(Code::kInvalid));
  if (!is_directory(*path)) return fail(Code::kInvalid, "workspace " + given + " is not a directory");
  return wire::Mount{*path, *path, readonly};
}

Result<wire::Mount> parse_volume(const std::string& text) {
  const auto parts = split(text, ':');
  const bool has_mode = parts.size() == 3;
  if ((parts.size() != 2 && !has_mode) || parts[0].empty() || parts[1].empty())
    return fail(Code::kInvalid, "--volume " + text + ": must be SOURCE:TARGET[:ro]");
  if (has_mode && parts[2] != "ro" && parts[2] != "readonly" && parts[2] != "rw")
    return fail(Code::kInvalid, "--volume " + text + ": \"" + parts[2] + "\" must be ro or rw");
  if (!parts[1].starts_with('/')) return fail(Code::kInvalid, "--volume " + text + ": the target must be absolute");
  auto source = canonical_path(parts[0]);
  if (!source) return fail(std::move(source).error().within("--volume").as(Code::kInvalid));
  return wire::Mount{*source, parts[1], has_mode && parts[2] != "rw"};
}

std::string workspace_text(const wire::Mount& workspace) {
  return workspace.source + (workspace.readonly ? ":ro" : "");
}

}  // namespace sbx::cli
