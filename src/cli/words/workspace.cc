// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/workspace.h"

#include <sys/stat.h>

#include <cerrno>

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

Result<std::string> absolute_path(const std::string& path) {
  if (path.starts_with('/')) return path;
  TRY_ASSIGN(const std::string here, canonical_path("."));
  return here + "/" + path;
}

}  // namespace

Result<wire::Mount> parse_workspace(const std::string& operand) {
  std::string given = operand;
  const bool readonly = take_suffix(given, ":ro") || take_suffix(given, ":readonly");
  if (given.empty())
    return fail(Code::kInvalid, "the workspace is an empty text: it must be a directory", "use . for this directory");
  struct stat info {};
  const bool found = ::stat(given.c_str(), &info) == 0;
  if (!found && errno == ENOENT && (given == "~" || given.starts_with("~/")))
    return fail(Code::kInvalid, "workspace " + given + " does not exist: in quotes, ~ is not your home directory",
                "without quotes, or $HOME" + given.substr(1));
  if (!found && errno == ENOENT)
    return fail(Code::kInvalid, "workspace " + given + " does not exist", "mkdir -p " + given);
  if (!found) return fail(Error::from_errno("workspace " + given).as(Code::kInvalid));
  if (!S_ISDIR(info.st_mode)) return fail(Code::kInvalid, "workspace " + given + " is not a directory");
  TRY_ASSIGN(const std::string path, absolute_path(given));
  return wire::Mount{path, path, readonly};
}

Result<wire::Mount> parse_volume(const std::string& text) {
  const auto parts = split(text, ':');
  const bool has_mode = parts.size() == 3;
  if ((parts.size() != 2 && !has_mode) || parts[0].empty() || parts[1].empty())
    return fail(Code::kInvalid, "--volume " + text + ": must be SOURCE:TARGET[:ro]");
  if (has_mode && parts[2] != "ro" && parts[2] != "readonly" && parts[2] != "rw")
    return fail(Code::kInvalid, "--volume " + text + ": \"" + parts[2] + "\" must be ro or rw");
  if (!parts[1].starts_with('/')) return fail(Code::kInvalid, "--volume " + text + ": the target must be absolute");
  struct stat info {};
  if (::stat(parts[0].c_str(), &info) != 0) return fail(Error::from_errno("--volume: " + parts[0]).as(Code::kInvalid));
  TRY_ASSIGN(const std::string source, absolute_path(parts[0]));
  return wire::Mount{source, parts[1], has_mode && parts[2] != "rw"};
}

std::string workspace_text(const wire::Mount& workspace) {
  return workspace.source + (workspace.readonly ? ":ro" : "");
}

}  // namespace sbx::cli
