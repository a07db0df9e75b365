// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/mounts.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "base/found_path.h"
#include "base/text.h"

namespace sbx::sandboxes {
namespace {

Result<std::string> canonical_source(const std::string& source, const SharedDirectories& shared) {
  if (!source.starts_with('/')) return fail(Code::kInvalid, printable(source) + ": it must be an absolute path");
  TRY_ASSIGN(const FoundPath found, find_path(source, LastLink::kFollowed, shared));
  if (!found.itself()) return fail_errno(source, ENOENT);
  return canonical_path(found);
}

Result<struct stat> status_of(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return fail_errno(path);
  return info;
}

Result<wire::Mount> checked_workspace(const wire::Mount& workspace, const MountRules& rules) {
  TRY_ASSIGN(const std::string path, canonical_source(workspace.source, rules.shared));
  if (workspace.target != workspace.source && workspace.target != path)
    return fail(Code::kInvalid, workspace.source + ": a workspace has the same path in the sandbox");
  TRY_ASSIGN(const auto info, status_of(path));
  if (!S_ISDIR(info.st_mode)) return fail(Code::kInvalid, workspace.source + ": not a directory");
  wire::Mount checked{path, path, workspace.readonly};
  TRY(check_source(checked, rules.allow_home, rules.places));
  TRY(check_target(path));
  return checked;
}

Result<wire::Mount> checked_mount(const wire::Mount& mount, const MountRules& rules) {
  TRY_ASSIGN(const std::string path, canonical_source(mount.source, rules.shared));
  TRY_ASSIGN(const auto info, status_of(path));
  if (!S_ISDIR(info.st_mode) && !S_ISREG(info.st_mode))
    return fail(Code::kInvalid, mount.source + ": neither a directory nor a plain file");
  wire::Mount checked{path, mount.target, mount.readonly};
  TRY(check_source(checked, rules.allow_home, rules.places));
  TRY(check_target(mount.target));
  return checked;
}

template <class Check>
Result<std::vector<wire::Mount>> each(const std::vector<wire::Mount>& mounts, const MountRules& rules, Check check) {
  std::vector<wire::Mount> out;
  for (const auto& mount : mounts) {
    TRY_ASSIGN(auto checked, check(mount, rules));
    out.push_back(std::move(checked));
  }
  return out;
}

bool is_directory(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

}  // namespace

Result<std::vector<wire::Mount>> checked_workspaces(const std::vector<wire::Mount>& workspaces,
                                                    const MountRules& rules) {
  auto checked = each(workspaces, rules, checked_workspace);
  if (!checked) return fail(std::move(checked).error().as(Code::kInvalid).within("workspace"));
  return checked;
}

Result<std::vector<wire::Mount>> checked_mounts(const std::vector<wire::Mount>& mounts, const MountRules& rules) {
  auto checked = each(mounts, rules, checked_mount);
  if (!checked) return fail(std::move(checked).error().as(Code::kInvalid).within("mount"));
  return checked;
}

Result<> check_still_allowed(const std::vector<wire::Mount>& mounts, bool allow_home, const HostPlaces& places) {
  for (const auto& mount : mounts)
    for (auto checked : {check_source(mount, allow_home, places), check_target(mount.target)})
      if (!checked) return fail(std::move(checked).error().as(Code::kConflict).with_hint("remove the sandbox"));
  auto nested = check_nested(mounts);
  if (!nested) return fail(std::move(nested).error().as(Code::kConflict));
  return Ok{};
}

std::vector<wire::Mount> all_mounts(const std::vector<wire::Mount>& workspaces,
                                    const std::vector<wire::Mount>& mounts) {
  std::vector<wire::Mount> all = workspaces;
  all.insert(all.end(), mounts.begin(), mounts.end());
  return all;
}

Result<> check_targets_differ(const std::vector<wire::Mount>& workspaces, const std::vector<wire::Mount>& mounts) {
  std::set<std::string> targets;
  for (const auto* list : {&workspaces, &mounts})
    for (const auto& mount : *list)
      if (!targets.insert(mount.target).second)
        return fail(Code::kInvalid, "mount target " + mount.target + ": it is there twice");
  return Ok{};
}

Result<> check_present(const std::vector<wire::Mount>& mounts) {
  for (const auto& mount : mounts) {
    // The record holds a canonical path; a link in it today was put there since, perhaps by a guest.
    auto place = open_without_links(mount.source, O_PATH);
    if (place) continue;
    Error error = std::move(place).error().within("workspace " + mount.source);
    return fail(std::move(error).as(Code::kConflict).with_hint("put the directory back, or remove the sandbox"));
  }
  return Ok{};
}

bool any_missing(const std::vector<wire::Mount>& workspaces) {
  return std::ranges::any_of(workspaces, [](const wire::Mount& workspace) { return !is_directory(workspace.source); });
}

}  // namespace sbx::sandboxes
