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
constexpr std::string_view kHelpers = "-helpers";
constexpr std::string_view kUnit = "app.slice/sandboxd-sandboxes.service";  // packaging/sandboxd-sandboxes.service
// A fork bomb that is killed faster than it forks is gone after a few; on a busy host the dead take their time.
constexpr int kMostRounds = 2000;
constexpr std::int64_t kPeriod = 100'000;  // microseconds

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

// The group of the unit sandboxd-sandboxes. All groups below user@UID.service, the user's systemd, belong to the user,
// so a process in one of them can be moved there; one in a login session, which is beside it, cannot.
std::string delegated_to(const std::string& own) {
  const auto manager = own.find("/user@");
  const auto end = own.find('/', manager + 1);
  if (manager == std::string::npos || end == std::string::npos) return "";
  return own.substr(0, end + 1) + std::string(kUnit);
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

struct Setting {
  const char* controller;
  const char* file;
  std::string value;
};

std::vector<Setting> settings_v1(const wire::Limits& limits) {
  std::vector<Setting> settings;
  if (limits.memory > 0) settings.push_back({"memory", "memory.limit_in_bytes", std::to_string(limits.memory)});
  if (limits.pids > 0) settings.push_back({"pids", "pids.max", std::to_string(limits.pids)});
  if (limits.cpus > 0)
    settings.push_back({"cpu", "cpu.cfs_quota_us",
                        std::to_string(static_cast<std::int64_t>(limits.cpus * static_cast<double>(kPeriod)))});
  return settings;
}

std::vector<Setting> settings_v2(const wire::Limits& limits) {
  std::vector<Setting> settings;
  if (limits.memory > 0) settings.push_back({"memory", "memory.max", std::to_string(limits.memory)});
  if (limits.pids > 0) settings.push_back({"pids", "pids.max", std::to_string(limits.pids)});
  if (limits.cpus > 0)
    settings.push_back({"cpu", "cpu.max",
                        std::to_string(static_cast<std::int64_t>(limits.cpus * static_cast<double>(kPeriod))) + " " +
                            std::to_string(kPeriod)});
  return settings;
}

Result<> write_setting(const std::string& file, std::string_view value) {
  TRY_ASSIGN(const Fd setting, open_path(file, O_WRONLY));
  TRY_WITHIN("set " + file, write_all(setting, value));
  return Ok{};
}

// A group has the files of those controllers only that its parent passes on. What cannot be passed on is missed when
// its file is.
void pass_on(const std::string& group, const std::vector<Setting>& settings) {
  for (const Setting& setting : settings)
    (void)write_setting(group + "/cgroup.subtree_control", "+" + std::string(setting.controller));
}

// Whether the group passes memory on or can begin to. With processes in it, it cannot; "pids" and "cpu" it could, but
// is a threaded one then, in which no container starts.
bool passes_on_memory(const std::string& group) {
  const auto has = [&](const char* file) {
    const auto controllers = read_file(group + file);
    return controllers && controllers->find("memory") != std::string::npos;
  };
  if (has("/cgroup.subtree_control")) return true;
  const auto members = read_file(group + "/cgroup.procs");
  return members && members->empty() && has("/cgroup.controllers");
}

Result<> enter_group(const std::string& group, const std::vector<Setting>& settings) {
  for (const Setting& setting : settings) TRY(write_setting(group + "/" + setting.file, setting.value));
  return write_setting(group + "/cgroup.procs", "0");
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

Cgroups Cgroups::detect() { return read("/proc/self"); }

Cgroups Cgroups::seen_by(pid_t process) { return read("/proc/" + std::to_string(process)); }

Cgroups Cgroups::read(const std::string& process) {
  const auto mountinfo = read_file(process + "/mountinfo");
  const auto own = read_file(process + "/cgroup");
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
      cgroups.hierarchies_.push_back({controllers, mount.point, path, delegated_to(path)});
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

// As root, a group of our own at the top.
std::string Cgroups::parent_path(const Hierarchy& hierarchy) const {
  return (idmap::privileged() ? "" : hierarchy.delegated) + "/" + std::string(kParent);
}

bool Cgroups::writable() const {
  if (idmap::privileged()) return version() != Version::kNone;
  if (version() != Version::kV2 || hierarchies_.front().delegated.empty()) return false;
  const std::string group = hierarchies_.front().mount_point + hierarchies_.front().delegated;
  return ::access((group + "/cgroup.procs").c_str(), W_OK) == 0 &&
         ::access((group + "/cgroup.subtree_control").c_str(), W_OK) == 0 && passes_on_memory(group);
}

std::string Cgroups::path_for(const std::string& id) const {
  if (!writable()) return "";
  return parent_path(hierarchies_.front()) + "/" + id;
}

Result<> Cgroups::enter_helpers(const std::string& id, const wire::Limits& limits) const {
  if (!writable()) return fail(Code::kUnavailable, "this user may not make cgroups");
  const bool unified = version() == Version::kV2;  // a hybrid's unified hierarchy has no controllers
  for (const Hierarchy& hierarchy : hierarchies_) {
    std::vector<Setting> settings = unified ? settings_v2(limits) : settings_v1(limits);
    if (!unified)
      std::erase_if(settings, [&](const Setting& setting) {
        return hierarchy.controllers.empty() || !names_controllers(hierarchy.controllers, setting.controller);
      });
    if (settings.empty()) continue;
    const std::string parent = hierarchy.mount_point + parent_path(hierarchy);
    TRY(make_directories(parent, 0755));
    if (unified) {
      pass_on(parent.substr(0, parent.rfind('/')), settings);
      pass_on(parent, settings);
    }
    const std::string group = parent + "/" + id + std::string(kHelpers);
    TRY(make_directories(group, 0755));
    TRY(enter_group(group, settings));
  }
  return Ok{};
}

Result<> Cgroups::delegate(const std::string& id, std::uint32_t owner) const {
  for (const Hierarchy& hierarchy : hierarchies_) {
    const std::string group = hierarchy.mount_point + parent_path(hierarchy) + "/" + id;
    if (!exists(group)) continue;  // a controller without a limit may have none
    for (const char* file : {"", "/cgroup.procs", "/tasks", "/cgroup.threads", "/cgroup.subtree_control"})
      if (::chown((group + file).c_str(), owner, owner) != 0 && errno != ENOENT)
        return fail_errno("give " + group + file + " to the guest");
  }
  return Ok{};
}

Result<> Cgroups::remove(const std::string& id) const {
  if (id.empty() || !writable()) return Ok{};  // then we made none
  for (const Hierarchy& hierarchy : hierarchies_)
    for (const std::string& group : {id, id + std::string(kHelpers)})
      TRY(remove_group(hierarchy.mount_point + parent_path(hierarchy) + "/" + group));
  return Ok{};
}

}  // namespace sbx::backends::oci
