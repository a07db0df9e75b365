// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sbx::guest {

// Where something is mounted, in the order of /proc/self/mountinfo, whose text this is.
std::vector<std::string> mount_points(std::string_view mountinfo);

// The directories below `top` that lead to something mounted below it: for a mount at /home/agent/.config/x, and the
// home /home/agent, that is /home/agent/.config. Of the running system.
std::vector<std::string> directories_above_mounts(const std::string& top);
std::vector<std::string> directories_above_mounts(const std::string& top, std::string_view mountinfo);

}  // namespace sbx::guest
