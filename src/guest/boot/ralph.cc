// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/ralph.h"

#include <string_view>

#include "guest/boot/own_program.h"
#include "guest/boot/own_root.h"
#include "wire/guest.h"

namespace sbx::guest {
namespace {

constexpr const char* kOnPath = "/usr/local/bin/ralph";

}  // namespace

Result<> offer_ralph() {
  const std::string path(wire::kRalph);
  TRY(put_own_program(path));
  TRY_ASSIGN(const OwnRoot root, OwnRoot::open());
  if (!root.is_first_start()) return Ok{};
  const auto linked = root.link(path, kOnPath);
  // A directory of the user's in its place is left as it is.
  return linked || linked.error().code() == Code::kForbidden ? Ok{} : linked;
}

bool is_ralph(int argc, char** argv) {
  const std::string_view name = argc > 0 ? argv[0] : "";
  return name == "ralph" || name.ends_with("/ralph");
}

}  // namespace sbx::guest
