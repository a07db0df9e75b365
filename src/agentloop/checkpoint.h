// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "agentloop/world.h"
#include "base/result.h"

// What a directory was like after each iteration: a commit on a ref of its own, refs/sandbox/loops/<id>/<n>, made with
// an index of its own. The user's branch, index and HEAD are not touched. Untracked files are in it, ignored ones are
// not. Where there is no git repository at the beginning, it is in one of the loop's own, until the loop's end.
//
// SECURITY: git runs where the agent runs, never on the host: hooks, filters and fsmonitor of a repository that an
// agent has written to are its programs.
namespace sbx::agentloop {

struct Checkpoint {
  std::string commit;
  std::string tree;
  std::int64_t changed = 0;        // files, since the one before
  std::vector<std::string> files;  // the first of them
};

class Checkpoints {
 public:
  Checkpoints(World& world, std::string id, std::string directory)
      : world_(world), id_(std::move(id)), directory_(std::move(directory)) {}

  // kUnavailable: there is no git.
  Result<Checkpoint> make(std::int64_t number, const std::string& parent);
  // The directory, and nothing beside it, as it was then, to the file. What it is now is kept as
  // refs/sandbox/loops/<id>/before-undo.
  Result<> restore(const std::string& commit);
  Result<std::string> diff(const std::string& from, const std::string& to);
  // Removes the refs of this loop, and what else it has kept there.
  Result<> forget();
  // A commit of all changes on the user's own branch; nothing changed, and no repository, are success.
  Result<> commit_on_branch(const std::string& message);
  // A worktree in the directory, on a branch of its name; made if it is not there. Its path.
  Result<std::string> worktree(const std::string& name);

 private:
  Result<std::string> git(const std::string& script, const std::vector<std::string>& words);

  World& world_;
  std::string id_;
  std::string directory_;
};

}  // namespace sbx::agentloop
