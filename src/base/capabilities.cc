// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/capabilities.h"

#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>

namespace sbx {

Result<> drop_capabilities() { return drop_capabilities_but({}); }

Result<> drop_capabilities_but(std::span<const int> kept) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> sets{};
  for (const int capability : kept) {
    auto& half = sets.at(static_cast<std::size_t>(capability / 32));
    half.effective |= 1u << (capability % 32);
    half.permitted = half.effective;
  }
  if (::syscall(SYS_capset, &header, sets.data()) != 0) return fail_errno("drop capabilities");
  return Ok{};
}

Result<> cut_bounding_set() {
  for (int capability = 0; ::prctl(PR_CAPBSET_READ, capability) >= 0; ++capability)
    if (::prctl(PR_CAPBSET_DROP, capability) != 0) return fail_errno("give up a capability");
  return Ok{};
}

Result<> become(std::uint32_t id) {
  if (::setgroups(0, nullptr) != 0) return fail_errno("drop groups");
  if (::setresgid(id, id, id) != 0) return fail_errno("change the group id");
  if (::setresuid(id, id, id) != 0) return fail_errno("change the user id");
  return Ok{};
}

}  // namespace sbx
