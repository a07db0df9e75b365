// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "wire/settings.h"

namespace sbx::backends::oci {

// How this host arranges its control groups, from /proc/PID/mountinfo and /proc/PID/cgroup.
struct Hierarchy {
  std::string controllers;  // "memory", "cpu,cpuacct", or "" for the unified one
  std::string mount_point;
  std::string own_path;   // where the process is in it
  std::string delegated;  // the unit where an ordinary user makes groups; "" where the user's systemd did not start us
};

class Cgroups {
 public:
  enum class Version { kNone, kV1, kHybrid, kV2 };

  static Cgroups detect();
  static Cgroups seen_by(pid_t process);  // as another process of this user's has them
  static Cgroups parse(std::string_view mountinfo, std::string_view own);

  Version version() const;
  const std::vector<Hierarchy>& hierarchies() const { return hierarchies_; }

  // The path that an OCI config names for this sandbox, "" if we may not make groups at all: for an ordinary user, when
  // the unit sandboxd-sandboxes does not run, or the daemon was not started by the user's systemd.
  std::string path_for(const std::string& id) const;
  // Whether limits can be enforced, which is the same question.
  bool writable() const;

  // Makes the group of the sandbox's helpers (its shim and all that it starts but a container), beside the sandbox's
  // own, with these limits (0: none), and moves the calling process into it; what that starts is born there. Not into
  // the sandbox's own: the helpers must work on when the guest has used up what it may. On failure the caller is where
  // it was, or in some of the hierarchies only.
  Result<> enter_helpers(const std::string& id, const wire::Limits& limits) const;

  // Lets this user and group of the host's make groups below the sandbox's own and move its processes between them.
  // SECURITY: what holds the sandbox to its limits stays ours.
  Result<> delegate(const std::string& id, std::uint32_t owner) const;

  // Kills whatever is in the sandbox's groups and removes them, nested ones first. Our own parent stays, empty or not:
  // another sandbox, of another home even, may be about to make its group in it. One whose record is lost has no id,
  // and no groups: those of all others are not its.
  Result<> remove(const std::string& id) const;

 private:
  static Cgroups read(const std::string& process);
  std::string parent_path(const Hierarchy& hierarchy) const;
  std::vector<Hierarchy> hierarchies_;
};

std::string_view to_string(Cgroups::Version version);

}  // namespace sbx::backends::oci
