// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/git_worktree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <memory>
#include <string_view>

#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"
#include "sandboxes/git_names.h"

namespace sbx::sandboxes {
namespace {

constexpr std::size_t kLargestFile = 8192;

// A plain file of one line, that is not a link and does not block who opens it.
std::optional<std::string> line_in(const std::string& path) {
  const auto file = open_path(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  struct stat info {};
  if (!file || ::fstat(file->get(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  const auto text = read_all(*file, kLargestFile);
  if (!text) return std::nullopt;
  return std::string(trimmed(*text));
}

// Where a path in a file leads that lies in `directory`.
std::optional<std::string> place_named_in(const std::string& directory, const std::string& path) {
  const auto place = canonical_path(path.starts_with('/') ? path : directory + "/" + path);
  return place ? std::optional(*place) : std::nullopt;
}

std::string directory_above(const std::string& path) { return path.substr(0, path.rfind('/')); }

bool lies_in(const std::string& path, const std::string& directory) {
  return (path + "/").starts_with(directory + "/");
}

bool is_repository(const std::string& directory) {
  return exists(directory + "/HEAD") && exists(directory + "/objects") && exists(directory + "/refs");
}

// The first name in the repository that is not git's. A worktree may lie in a bare repository; others that do are
// directories like any other, because an agent could have made them worktrees.
std::string foreign_name_in(const std::string& repository, const std::string& workspace) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(repository.c_str()), &::closedir);
  if (!entries) return "what cannot be read";
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != ".." && !is_git_name(name) && repository + "/" + name != workspace) return name;
  }
  return "";
}

// The worktree's own directory in its repository: /home/ann/project/.git/worktrees/name.
std::optional<std::string> own_directory(const std::string& workspace) {
  constexpr std::string_view kStart = "gitdir:";
  const auto line = line_in(workspace + "/.git");
  if (!line || !line->starts_with(kStart)) return std::nullopt;
  auto own = place_named_in(workspace, std::string(trimmed(std::string_view(*line).substr(kStart.size()))));
  if (!own || !directory_above(*own).ends_with("/worktrees")) return std::nullopt;
  const auto back = line_in(*own + "/gitdir");
  if (!back || place_named_in(*own, directory_above(*back)) != workspace || !back->ends_with("/.git"))
    return std::nullopt;
  return own;
}

}  // namespace

std::optional<GitWorktree> git_worktree(const wire::Mount& workspace) {
  const auto own = own_directory(workspace.source);
  if (!own) return std::nullopt;
  const auto common = line_in(*own + "/commondir");
  const auto repository = common ? place_named_in(*own, *common) : std::nullopt;
  if (!repository || *repository != directory_above(directory_above(*own)) || !is_repository(*repository))
    return std::nullopt;
  if (lies_in(*repository, workspace.source)) return std::nullopt;
  GitWorktree found{*repository, {{*repository, *repository, true}}, foreign_name_in(*repository, workspace.source)};
  if (workspace.readonly) return found;
  for (const std::string& part : {*repository + "/objects", *repository + "/refs", *repository + "/logs", *own})
    if (exists(part)) found.mounts.push_back({part, part, false});
  return found;
}

}  // namespace sbx::sandboxes
