// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/system_call_filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sbx {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

sock_filter load(std::size_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
sock_filter verdict(std::uint32_t value) { return BPF_STMT(BPF_RET | BPF_K, value); }
sock_filter skip_unless(long value) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(value), 0, 1);
}

std::vector<sock_filter> filter_for(std::span<const long> system_calls) {
  std::vector<sock_filter> program{load(offsetof(seccomp_data, arch)),
                                   BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
                                   verdict(SECCOMP_RET_KILL_PROCESS), load(offsetof(seccomp_data, nr))};
  for (const long number : system_calls) {
    program.push_back(skip_unless(number));
    program.push_back(verdict(SECCOMP_RET_ALLOW));
  }
  program.push_back(verdict(SECCOMP_RET_ERRNO | EPERM));
  return program;
}

}  // namespace

Result<> allow_only(std::span<const long> system_calls) {
  std::vector<sock_filter> filter = filter_for(system_calls);
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) return fail_errno("filter system calls");
  return Ok{};
}

}  // namespace sbx
