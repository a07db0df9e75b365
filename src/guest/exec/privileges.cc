// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/exec/privileges.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>

namespace sbx::guest {
namespace {

constexpr int kGuestCapabilities[] = {
    CAP_CHOWN,   CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH,  CAP_FSETID,     CAP_FOWNER, CAP_SETGID,      CAP_SETUID,
    CAP_SETPCAP, CAP_SETFCAP,      CAP_NET_BIND_SERVICE, CAP_SYS_CHROOT, CAP_KILL,   CAP_AUDIT_WRITE, CAP_MKNOD,
};

constexpr int kMostCapabilities = 64;

std::uint64_t guest_set() {
  std::uint64_t set = 0;
  for (const int capability : kGuestCapabilities) set |= std::uint64_t{1} << capability;
  return set;
}

using Sets = std::array<__user_cap_data_struct, 2>;

__user_cap_header_struct header() { return {_LINUX_CAPABILITY_VERSION_3, 0}; }

Result<> limit_bounding_set(std::uint64_t allowed) {
  for (int capability = 0; capability < kMostCapabilities; ++capability) {
    if ((allowed >> capability & 1) != 0) continue;
    const int has = ::prctl(PR_CAPBSET_READ, capability);
    if (has < 0) break;  // past the last capability that this kernel knows
    if (has == 1 && ::prctl(PR_CAPBSET_DROP, capability) != 0) return fail_errno("give up a capability");
  }
  return Ok{};
}

Result<> limit_own_sets(std::uint64_t allowed) {
  auto head = header();
  Sets sets{};
  if (::syscall(SYS_capget, &head, sets.data()) != 0) return fail_errno("read capabilities");
  for (std::size_t i = 0; i < sets.size(); ++i) {
    sets[i].permitted &= static_cast<std::uint32_t>(allowed >> (32 * i));
    sets[i].effective = sets[i].permitted;
    sets[i].inheritable = 0;
  }
  if (::syscall(SYS_capset, &head, sets.data()) != 0) return fail_errno("set capabilities");
  return Ok{};
}

// Of this process alone: the C library's functions would ask every thread that shares our memory, which is init's.
Result<> change_user(const Identity& identity) {
  if (::syscall(SYS_setgroups, identity.groups.size(), identity.groups.data()) != 0) return fail_errno("set groups");
  if (::syscall(SYS_setresgid, identity.gid, identity.gid, identity.gid) != 0)
    return fail_errno("become group " + std::to_string(identity.gid));
  if (::syscall(SYS_setresuid, identity.uid, identity.uid, identity.uid) != 0)
    return fail_errno("become user " + std::to_string(identity.uid));
  return Ok{};
}

}  // namespace

Result<> hide_from_tracers() {
  if (::prctl(PR_SET_DUMPABLE, 0) != 0) return fail_errno("hide from tracers");
  return Ok{};
}

Result<> limit_children() { return limit_bounding_set(guest_set()); }

Result<> become(const Identity& identity, bool privileged) {
  // SECURITY: privileged means everything that init has, which is limited to the guest's own user namespace.
  const std::uint64_t allowed = privileged ? ~std::uint64_t{0} : guest_set();
  TRY(limit_bounding_set(allowed));
  if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0) return fail_errno("clear ambient capabilities");
  TRY(change_user(identity));
  TRY(limit_own_sets(identity.uid == 0 ? allowed : 0));
  // Again: to change the user may have undone it (fs.suid_dumpable).
  return hide_from_tracers();
}

}  // namespace sbx::guest
