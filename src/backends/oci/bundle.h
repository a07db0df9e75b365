// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/descriptor_limit.h"
#include "base/json.h"
#include "idmap/idmap.h"
#include "wire/settings.h"

namespace sbx::backends::oci {

// Everything that decides an OCI config.json. config_of is pure, so that the result has a golden file.
struct Bundle {
  std::string id;
  std::string root;  // the mounted root file system
  std::string hostname;
  std::string init_program;
  std::vector<wire::Mount> binds;  // source: where the staging put it
  idmap::IdMap ids;                // as the runtime sees them
  std::string cgroup_path;         // "": no cgroup of its own
  bool mount_cgroup = false;       // /sys/fs/cgroup
  bool makes_containers = false;   // Features::docker
  wire::Limits limits;
  DescriptorLimits descriptors;
  std::string architecture;  // for the system call filter: SCMP_ARCH_...
};

// How init is started, and how /proc/PID/cmdline shows whose it is.
std::vector<std::string> init_command(const std::string& id);

Json config_of(const Bundle& bundle);

}  // namespace sbx::backends::oci
