// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/guidance.h"

#include "guest/boot/home_file.h"
#include "guest/boot/own_root.h"

namespace sbx::guest {
namespace {

Result<> write_at_home(const OwnRoot& root, const wire::GuestFile& page, const Account& agent) {
  const std::string path = agent.home + "/" + page.path;
  return root.exists(path) ? Ok{} : write_home_file(root, path, page.content, agent);
}

Result<> write_outside(const OwnRoot& root, const wire::GuestFile& page) {
  if (root.exists(page.path)) return Ok{};
  TRY(root.make_directories(page.path.substr(0, page.path.rfind('/')), 0755));
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
