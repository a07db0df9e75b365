// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/git_names.h"

#include <algorithm>

namespace sbx::sandboxes {
namespace {

constexpr std::string_view kGits[] = {
    "AUTO_MERGE",
    "HEAD",
    "branches",
    "cloneurl",
    "config",
    "config.worktree",
    "description",
    "fsmonitor--daemon",
    "fsmonitor--daemon.ipc",
    "git-daemon-export-ok",
    "hooks",
    "index",
    "info",
    "logs",
    "lost-found",
    "modules",
    "objects",
    "packed-refs",
    "packed-refs.new",
    "rebase-apply",
    "rebase-merge",
    "refs",
    "reftable",
    "remotes",
    "rr-cache",
    "sequencer",
    "shallow",
    "worktrees",
};

// Of other tools.
constexpr std::string_view kTools[] = {
    ".DS_Store",
    "annex",
    "arc",
    "branchless",
    "cursor",
    "filter-repo",
    "fork-settings",
    "git-crypt",
    "gitbutler",
    "gk",
    "gitk.cache",
    "hg",
    "jj",
    "lfs",
    "machete",
    "opencode",
    "patches",
    "sl",
    "sourcetreeconfig",
    "sourcetreeconfig.json",
    "stgit",
    "subtree-cache",
    "svn",
    "tags",
};

constexpr std::string_view kBeginnings[] = {".graphite_", "BISECT_", "GITGUI_",     "MERGE_",
                                            "NOTES_",     "gc.",     "next-index-", "sharedindex."};
constexpr std::string_view kEnds[] = {"_EDITMSG", "_HEAD", "_MSG"};
constexpr std::string_view kLock = ".lock";

}  // namespace

bool is_git_name(std::string_view name) {
  if (name.ends_with(kLock)) name.remove_suffix(kLock.size());
  return std::ranges::find(kGits, name) != std::end(kGits) || std::ranges::find(kTools, name) != std::end(kTools) ||
         std::ranges::any_of(kBeginnings, [&](std::string_view start) { return name.starts_with(start); }) ||
         std::ranges::any_of(kEnds, [&](std::string_view end) { return name.ends_with(end); });
}

}  // namespace sbx::sandboxes
