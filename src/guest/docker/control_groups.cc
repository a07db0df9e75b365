// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/docker/control_groups.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mount.h>
#include <sys/vfs.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"

namespace sbx::guest {
namespace {

constexpr const char* kOwnGroup = "/sandbox";

bool is_unified(const std::string& place) {
  struct statfs info {};
  return ::statfs(place.c_str(), &info) == 0 && info.f_type == CGROUP2_SUPER_MAGIC;
}

Result<> mount_where_missing(const std::string& place) {
  if (!names_in(place).empty()) return Ok{};
  if (::mount("cgroup2", place.c_str(), "cgroup2", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0)
    return fail_errno("mount " + place);
  return Ok{};
}

Result<> write_to(const std::string& file, const std::string& text) {
  TRY_ASSIGN(const Fd setting, open_path(file, O_WRONLY));
  return write_all(setting, text);
}

// A process that has ended meanwhile cannot be moved, and one that was born meanwhile is moved in the next round.
Result<> empty_group(const std::string& place) {
  constexpr int kMostRounds = 100;
  for (int round = 0; round < kMostRounds; ++round) {
    TRY_ASSIGN(const std::string members, read_file(place + "/cgroup.procs"));
    bool moved = false;
    for (const std::string& pid : split(members, '\n')) {
      if (pid.empty() || pid == "0") continue;  // 0: the kernel's own, or one that we cannot see
      moved |= write_to(place + kOwnGroup + "/cgroup.procs", pid).has_value();
    }
    if (!moved) return Ok{};
  }
  return fail(Code::kTimeout, "processes are born faster than they can be moved to another control group");
}

// Each by itself: one that cannot be passed on keeps none of the others from it.
Result<> pass_on(const std::string& place) {
  TRY_ASSIGN(const std::string controllers, read_file(place + "/cgroup.controllers"));
  for (const std::string& controller : split(trimmed(controllers), ' '))
    if (!controller.empty()) (void)write_to(place + "/cgroup.subtree_control", "+" + controller);
  return Ok{};
}

}  // namespace

Result<> prepare_control_groups(const std::string& place) {
  TRY(mount_where_missing(place));
  if (!is_unified(place)) return Ok{};
  TRY(make_directories(place + kOwnGroup, 0755));
  TRY(empty_group(place));
  return pass_on(place);
}

}  // namespace sbx::guest
