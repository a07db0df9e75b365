// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/mounts.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>

#include "base/file.h"
#include "base/text.h"

namespace sbx::sandboxes {
namespace {

// The guest's own; a directory of the host's there would break it or open it.
constexpr std::array<std::string_view, 3> kReserved{"/proc", "/sys", "/dev"};

bool is_or_is_below(std::string_view path, std::string_view directory) {
  return path == directory || (path.starts_with(directory) && path.substr(directory.size()).starts_with('/'));
}

bool is_normalised(const std::string& path) {
  if (path.size() > 1 && path.ends_with('/')) return false;
  const auto parts = split(path.substr(1), '/');
  return std::ranges::none_of(parts,
                              [](const std::string& part) { return part.empty() || part == "." || part == ".."; });
}

Result<> check_target(const std::string& target) {
  const auto refuse = [&target](const char* why) {
    return fail(Code::kInvalid, "mount target " + printable(target) + ": " + why);
  };
  if (!target.starts_with('/')) return refuse("it must be an absolute path");
  if (target == "/") return refuse("it is the root of the sandbox");
  if (!is_normalised(target)) return refuse("it must not contain \"//\", \".\", \"..\" or end in \"/\"");
  for (const std::string_view reserved : kReserved)
    if (is_or_is_below(target, reserved)) return refuse("the sandbox has its own there");
  return Ok{};
}

Result<std::string> checked_source(const std::string& source, const std::string& home) {
  if (!source.starts_with('/')) return fail(Code::kInvalid, printable(source) + ": it must be an absolute path");
  TRY_ASSIGN(std::string path, canonical_path(source));
  if (path == "/") return fail(Code::kInvalid, source + ": the whole host cannot be given to a sandbox");
  if (is_or_is_below(path, home) || is_or_is_below(home, path))
    return fail(Code::kInvalid, source + ": it holds the sandboxes' own state (" + home + ")",
                "choose a directory that is neither in nor above it");
  return path;
}

Result<struct stat> status_of(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return fail_errno(path);
  return info;
}

Result<wire::Mount> checked_workspace(const wire::Mount& workspace, const std::string& home) {
  TRY_ASSIGN(const std::string path, checked_source(workspace.source, home));
  if (workspace.target != workspace.source && workspace.target != path)
    return fail(Code::kInvalid, workspace.source + ": a workspace has the same path in the sandbox");
  TRY_ASSIGN(const auto info, status_of(path));
  if (!S_ISDIR(info.st_mode)) return fail(Code::kInvalid, workspace.source + ": not a directory");
  TRY(check_target(path));
  return wire::Mount{path, path, workspace.readonly};
}

Result<wire::Mount> checked_mount(const wire::Mount& mount, const std::string& home) {
  TRY_ASSIGN(const std::string path, checked_source(mount.source, home));
  TRY_ASSIGN(const auto info, status_of(path));
  if (!S_ISDIR(info.st_mode) && !S_ISREG(info.st_mode))
    return fail(Code::kInvalid, mount.source + ": neither a directory nor a plain file");
  TRY(check_target(mount.target));
  return wire::Mount{path, mount.target, mount.readonly};
}

template <class Check>
Result<std::vector<wire::Mount>> each(const std::vector<wire::Mount>& mounts, const std::string& home, Check check) {
  // A home that is not there yet is compared as it is written.
  const std::string canonical_home = canonical_path(home).value_or(home);
  std::vector<wire::Mount> out;
  for (const auto& mount : mounts) {
    TRY_ASSIGN(auto checked, check(mount, canonical_home));
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
                                                    const std::string& home) {
  auto checked = each(workspaces, home, checked_workspace);
  if (!checked) return fail(std::move(checked).error().as(Code::kInvalid).within("workspace"));
  return checked;
}

Result<std::vector<wire::Mount>> checked_mounts(const std::vector<wire::Mount>& mounts, const std::string& home) {
  auto checked = each(mounts, home, checked_mount);
  if (!checked) return fail(std::move(checked).error().as(Code::kInvalid).within("mount"));
  return checked;
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
    // The record holds a canonical path; a link in it today is somebody's doing, perhaps a guest's.
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
