// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/checkpoint.h"

#include "base/text.h"

namespace sbx::agentloop {
namespace {

constexpr int kNoGit = 4;

// $1 is the loop's id, $2 where its own files are.
constexpr const char* kPrelude = R"(set -eu
id=$1 kept=$2
shift 2
command -v git >/dev/null || exit 4
git() {
  command git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.untrackedCache=false -c gc.auto=0 \
    -c maintenance.auto=false -c safe.directory=* -c advice.addEmbeddedRepo=false "$@"
}
export GIT_OPTIONAL_LOCKS=0 GIT_PAGER=cat GIT_TERMINAL_PROMPT=0
# A repository of the loop's own is made before the first iteration or never, and then it has all commits of the loop:
# one that the agent makes later does not take its place.
use_own() {
  GIT_DIR=$HOME/.loops/$id.git GIT_WORK_TREE=$PWD
  export GIT_DIR GIT_WORK_TREE
}
if [ -d "${HOME-}/.loops/$id.git" ]; then use_own; fi
# What ralph writes about itself is no work of the agent's.
ours=':(exclude).ralph/ralph-loop.state.json :(exclude).ralph/ralph-history.json :(exclude).ralph/ralph-context*
:(exclude).ralph/ralph-questions.json'
own_index() {
  set -f
  mkdir -p "$kept"
  if [ ! -e "$kept/index" ]; then
    users=$(git rev-parse --git-path index)
    if [ -e "$users" ]; then cp -- "$users" "$kept/index"; fi
  fi
  export GIT_INDEX_FILE=$kept/index
}
)";

// What was kept of the iteration before is not asked for again.
constexpr const char* kMake = R"sh(if [ -z "$2" ] && ! git rev-parse --git-dir >/dev/null 2>&1; then
  use_own
  mkdir -p "$HOME/.loops"
  git init -q
fi
own_index
set +f
rm -rf "$kept/$(($1 - 1))-"*
set -f
git add -A -v . $ours >"$kept/changed"
tree=$(git write-tree)
export GIT_AUTHOR_NAME=sandbox GIT_AUTHOR_EMAIL=loop@sandbox GIT_COMMITTER_NAME=sandbox GIT_COMMITTER_EMAIL=loop@sandbox
if [ -n "$2" ]; then
  commit=$(git commit-tree "$tree" -p "$2" -m "Loop $id, iteration $1")
else
  commit=$(git commit-tree "$tree" -m "Loop $id, before the first iteration")
fi
git update-ref "refs/sandbox/loops/$id/$1" "$commit"
echo "$commit $tree $(wc -l <"$kept/changed")"
head -n 50 "$kept/changed"
)sh";

// In a directory of a larger repository nothing outside of it may be touched; read-tree would reset all files there
// that differ from the index.
constexpr const char* kRestore = R"sh(own_index
git add -A . $ours
now=$(git write-tree)
export GIT_AUTHOR_NAME=sandbox GIT_AUTHOR_EMAIL=loop@sandbox GIT_COMMITTER_NAME=sandbox GIT_COMMITTER_EMAIL=loop@sandbox
git update-ref "refs/sandbox/loops/$id/before-undo" "$(git commit-tree "$now" -m "Loop $id, before an undo")"
if [ -z "$(git rev-parse --show-prefix)" ]; then
  git read-tree --reset -u "$1"
else
  git checkout -q --no-overlay "$1" -- .
fi
)sh";

constexpr const char* kDiff = R"(git diff --no-color --no-ext-diff --no-textconv "$1" "$2"
)";

constexpr const char* kForget =
    R"(git for-each-ref --format='delete %(refname)' "refs/sandbox/loops/$id/" | git update-ref --stdin
rm -rf "$kept" "${HOME-}/.loops/$id.git"
)";

// On the user's branch, if there is one: never in the loop's own repository.
constexpr const char* kCommit = R"(unset GIT_DIR GIT_WORK_TREE
git rev-parse --git-dir >/dev/null 2>&1 || exit 0
git add -A .
git diff --cached --quiet || git commit -q --no-verify --no-gpg-sign -m "$1"
)";

constexpr const char* kWorktree = R"(path=$PWD/.worktrees/$1
if [ ! -e "$path/.git" ]; then
  exclude=$(git rev-parse --git-path info/exclude)
  mkdir -p "${exclude%/*}"
  grep -qxF /.worktrees/ "$exclude" 2>/dev/null || echo /.worktrees/ >>"$exclude"
  git worktree prune
  if git rev-parse -q --verify "refs/heads/$1" >/dev/null; then
    git worktree add -q "$path" "$1"
  else
    git worktree add -q -b "$1" "$path" HEAD
  fi
fi
echo "$path"
)";

// SECURITY: what is kept of a guest's answer, whatever is in it.
constexpr std::size_t kMostNames = 50;
constexpr std::size_t kLongestName = 512;

// Of "add 'NAME'" and "remove 'NAME'".
std::string name_in(std::string_view line) {
  const auto begin = line.find('\'');
  const auto end = line.rfind('\'');
  return std::string((begin == end ? line : line.substr(begin + 1, end - begin - 1)).substr(0, kLongestName));
}

bool is_object_id(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

Result<std::string> Checkpoints::git(const std::string& script, const std::vector<std::string>& words) {
  std::vector<std::string> command{"/bin/sh", "-c", kPrelude + script, "sh", id_, world_.kept() + "/" + id_};
  command.insert(command.end(), words.begin(), words.end());
  TRY_ASSIGN(World::Answer answer, world_.ask(command, directory_, ""));
  if (answer.code == 0) return std::move(answer.out);
  if (answer.code == kNoGit) return fail(Code::kUnavailable, "there is no git where the agent works");
  return fail(Code::kInternal, "git: " + printable(trimmed(answer.err)));
}

Result<Checkpoint> Checkpoints::make(std::int64_t number, const std::string& parent) {
  TRY_ASSIGN(const std::string said, git(kMake, {std::to_string(number), parent}));
  std::string_view rest = said;
  const std::string_view first = cut_off(rest, '\n').substr(0, kLongestName);
  const std::vector<std::string> words = split(first, ' ');
  const auto changed = words.size() == 3 ? parse_integer(words[2]) : std::nullopt;
  if (!changed || !is_object_id(words[0]) || !is_object_id(words[1]))
    return fail(Code::kInternal, "git says something else than a commit: " + printable(first));
  Checkpoint checkpoint{words[0], words[1], *changed, {}};
  while (!rest.empty() && checkpoint.files.size() < kMostNames)
    checkpoint.files.push_back(name_in(cut_off(rest, '\n')));
  return checkpoint;
}

Result<> Checkpoints::restore(const std::string& commit) {
  TRY(git(kRestore, {commit}));
  return Ok{};
}

Result<std::string> Checkpoints::diff(const std::string& from, const std::string& to) { return git(kDiff, {from, to}); }

Result<> Checkpoints::forget() {
  TRY(git(kForget, {}));
  return Ok{};
}

Result<> Checkpoints::commit_on_branch(const std::string& message) {
  TRY(git(kCommit, {message}));
  return Ok{};
}

Result<std::string> Checkpoints::worktree(const std::string& name) {
  TRY_ASSIGN(const std::string path, git(kWorktree, {name}));
  return std::string(trimmed(path));
}

}  // namespace sbx::agentloop
