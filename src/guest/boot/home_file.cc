// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/home_file.h"

#include <fcntl.h>
#include <unistd.h>

namespace sbx::guest {
namespace {

std::string directory_above(const std::string& path) { return path.substr(0, path.rfind('/')); }

Result<> hand_over(const OwnRoot& root, const std::string& path, const Account& agent) {
  TRY_ASSIGN(const Fd place, root.open_own(path, O_PATH | O_NOFOLLOW));
  if (::fchownat(place.get(), "", agent.uid, agent.gid, AT_EMPTY_PATH) != 0)
    return fail_errno("set the owner of " + path);
  return Ok{};
}

// Directories that are missing in a home are made for its owner.
Result<> make_home_directories(const OwnRoot& root, const std::string& path, const Account& agent) {
  if (path.size() <= agent.home.size() || root.exists(path)) return Ok{};
  TRY(make_home_directories(root, directory_above(path), agent));
  TRY(root.make_directories(path, 0755));
  return hand_over(root, path, agent);
}

}  // namespace

Result<> write_home_file(const OwnRoot& root, const std::string& path, std::string_view content, const Account& agent) {
  if (!root.holds(agent.home)) return Ok{};
  TRY(make_home_directories(root, directory_above(path), agent));
  if (!root.holds(directory_above(path))) return Ok{};
  TRY(root.write(path, content, 0644));
  return hand_over(root, path, agent);
}

}  // namespace sbx::guest
