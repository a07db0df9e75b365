// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wire/settings.h"

namespace sbx::sandboxes {

// A workspace that `git worktree add` has made: its .git is a file that leads to a repository elsewhere.
struct GitWorktree {
  std::string repository;  // the common git directory, /home/ann/project/.git
  // What git needs of it to work in this worktree, at its own path: all of it read-only, hooks and config with it; on
  // top of that, writable, objects, refs, their logs and what is this worktree's own.
  std::vector<wire::Mount> mounts;
  // A name in it that is neither git's nor this workspace; "" if there is none. Then it is not to be mounted: it is a
  // directory of other things, perhaps one that an agent has dressed up as a repository.
  std::string foreign;
};

// Nothing if it is no worktree, or one whose repository lies in the workspace.
//
// SECURITY: an agent can write the .git file of its workspace, and so make it lead anywhere. Only a repository that
// knows this very workspace as a worktree of its own (the path back, which git keeps in it) is given out. An agent
// whose workspace was a directory above this one could have written that, too, and HEAD, objects and refs in its own:
// so a repository is one that has nothing but git's own names. Mounting these names alone would not do: git replaces
// packed-refs, config and HEAD by rename, and a mounted file would stay the old one, without the refs that were packed.
std::optional<GitWorktree> git_worktree(const wire::Mount& workspace);

}  // namespace sbx::sandboxes
