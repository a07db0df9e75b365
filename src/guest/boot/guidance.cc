// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/guidance.h"

#include <fcntl.h>
#include <unistd.h>

#include "guest/boot/own_root.h"

namespace sbx::guest {
namespace {

std::string parent_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

Result<> hand_over(const OwnRoot& root, const std::string& path, const Account& agent) {
  TRY_ASSIGN(const Fd place, root.open_own(path, O_PATH | O_NOFOLLOW));
  if (::fchownat(place.get(), "", agent.uid, agent.gid, AT_EMPTY_PATH) != 0)
    return fail_errno("set the owner of " + path);
  return Ok{};
}

// Directories that are missing in a home are made for its owner.
Result<> make_home_directories(const OwnRoot& root, const std::string& path, const Account& agent) {
  if (path.size() <= agent.home.size() || root.exists(path)) return Ok{};
  TRY(make_home_directories(root, parent_of(path), agent));
  TRY(root.make_directories(path, 0755));
  return hand_over(root, path, agent);
}

Result<> write_at_home(const OwnRoot& root, const wire::GuestFile& page, const Account& agent) {
  if (!root.holds(agent.home)) return Ok{};
  const std::string path = agent.home + "/" + page.path;
  if (root.exists(path)) return Ok{};
  TRY(make_home_directories(root, parent_of(path), agent));
  if (!root.holds(parent_of(path))) return Ok{};
  TRY(root.write(path, page.content, 0644));
  return hand_over(root, path, agent);
}

Result<> write_outside(const OwnRoot& root, const wire::GuestFile& page) {
  if (root.exists(page.path)) return Ok{};
  TRY(root.make_directories(parent_of(page.path), 0755));
  return root.write(page.path, page.content, 0644);
}

}  // namespace

Result<> ensure_guidance(const wire::GuestFile& page, const Account& agent, const std::string& directory) {
  if (page.path.empty()) return Ok{};
  TRY_ASSIGN(const OwnRoot root, OwnRoot::open(directory));
  if (!root.is_first_start()) return Ok{};
  const auto written = page.path.starts_with('/') ? write_outside(root, page) : write_at_home(root, page, agent);
  return written || written.error().code() == Code::kForbidden ? Ok{} : written;
}

}  // namespace sbx::guest
