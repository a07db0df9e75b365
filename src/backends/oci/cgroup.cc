// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/oci/cgroup.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <memory>

#include "base/file.h"
#include "base/text.h"
#include "idmap/idmap.h"

namespace sbx::backends::oci {
namespace {

constexpr std::string_view kParent = "sandboxd";
constexpr int kMostRounds = 50;  // a fork bomb that is killed faster than it forks is gone after a few

// mountinfo: id parent major:minor root mountpoint options ... - type source superoptions
struct Mounted {
  std::string point;
  std::string type;
  std::string super_options;
};

std::vector<Mounted> cgroup_mounts(std::string_view mountinfo) {
  std::vector<Mounted> found;
  for (const auto& line : split(mountinfo, '\n')) {
    const auto dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    const auto left = split(line.substr(0, dash), ' ');
    const auto right = split(line.substr(dash + 3), ' ');
    if (left.size() < 6 || right.size() < 3) continue;
    if (right[0] == "cgroup" || right[0] == "cgroup2") found.push_back({left[4], right[0], right[2]});
  }
  return found;
}

// /proc/self/cgroup: number:controllers:path
std::map<std::string, std::string> own_groups(std::string_view own) {
  std::map<std::string, std::string> groups;
  for (const auto& line : split(own, '\n')) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    groups[line.substr(first + 1, second - first - 1)] = line.substr(second + 1);
  }
  return groups;
}

bool names_controllers(const std::string& options, const std::string& controllers) {
  const auto present = split(options, ',');
  for (const auto& wanted : split(controllers, ','))
    if (std::find(present.begin(), present.end(), wanted) == present.end()) return false;
  return true;
}

void kill_members(const std::string& group) {
  const auto members = read_file(group + "/cgroup.procs");
  if (!members) return;
  for (const auto& line : split(*members, '\n'))
    if (const auto pid = parse_integer(line); pid && *pid > 1) ::kill(static_cast<pid_t>(*pid), SIGKILL);
}

std::vector<std::string> children_of(const std::string& group) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(group.c_str()), &::closedir);
  while (const dirent* entry = entries ? ::readdir(entries.get()) : nullptr) {
    const std::string name = entry->d_name;
    if (entry->d_type == DT_DIR && name != "." && name != "..") names.push_back(group + "/" + name);
  }
  return names;
}

Result<> remove_group(const std::string& group) {
  if (!exists(group)) return Ok{};
  for (const auto& child : children_of(group)) TRY(remove_group(child));
  for (int round = 0; round < kMostRounds; ++round) {
    kill_members(group);
    if (::rmdir(group.c_str()) == 0 || errno == ENOENT) return Ok{};
    if (errno != EBUSY) break;
    ::usleep(2000);  // the kernel takes a moment to bury the killed
  }
  return fail_errno("remove cgroup " + group);
}

}  // namespace

std::string_view to_string(Cgroups::Version version) {
  switch (version) {
    case Cgroups::Version::kNone:
      return "none";
    case Cgroups::Version::kV1:
      return "v1";
    case Cgroups::Version::kHybrid:
      return "hybrid";
    case Cgroups::Version::kV2:
      return "v2";
  }
  return "none";
}

Cgroups Cgroups::detect() {
  const auto mountinfo = read_file("/proc/self/mountinfo");
  const auto own = read_file("/proc/self/cgroup");
  return parse(mountinfo ? *mountinfo : "", own ? *own : "");
}

Cgroups Cgroups::parse(std::string_view mountinfo, std::string_view own) {
  Cgroups cgroups;
  const auto mounts = cgroup_mounts(mountinfo);
  for (const auto& [controllers, path] : own_groups(own))
    for (const Mounted& mount : mounts) {
      const bool unified = controllers.empty();
      if (unified != (mount.type == "cgroup2")) continue;
      if (!unified && !names_controllers(mount.super_options, controllers)) continue;
      cgroups.hierarchies_.push_back({controllers, mount.point, path});
      break;
    }
  return cgroups;
}

Cgroups::Version Cgroups::version() const {
  bool v1 = false;
  bool v2 = false;
  for (const Hierarchy& hierarchy : hierarchies_) (hierarchy.controllers.empty() ? v2 : v1) = true;
  if (v1 && v2) return Version::kHybrid;
  if (v1) return Version::kV1;
  return v2 ? Version::kV2 : Version::kNone;
}

// As root, a group of our own at the top. An ordinary user may only make groups where a manager has delegated: below
// the group that the daemon runs in.
std::string Cgroups::parent_path(const Hierarchy& hierarchy) const {
  if (idmap::privileged()) return "/" + std::string(kParent);
  return (hierarchy.own_path == "/" ? "" : hierarchy.own_path) + "/" + std::string(kParent);
}

bool Cgroups::writable() const {
  if (idmap::privileged()) return version() != Version::kNone;
  if (version() != Version::kV2) return false;
  const Hierarchy& unified = hierarchies_.front();
  return ::access((unified.mount_point + unified.own_path + "/cgroup.procs").c_str(), W_OK) == 0 &&
         ::access((unified.mount_point + unified.own_path + "/cgroup.subtree_control").c_str(), W_OK) == 0;
}

std::string Cgroups::path_for(const std::string& id) const {
  if (!writable()) return "";
  return parent_path(hierarchies_.front()) + "/" + id;
}

Result<> Cgroups::remove(const std::string& id) const {
  if (id.empty() || !writable()) return Ok{};  // then we made none
  for (const Hierarchy& hierarchy : hierarchies_)
    TRY(remove_group(hierarchy.mount_point + parent_path(hierarchy) + "/" + id));
  return Ok{};
}

}  // namespace sbx::backends::oci
