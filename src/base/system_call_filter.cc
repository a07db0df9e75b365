// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/system_call_filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

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

// A C library that is newer than our lists tries the calls that came after them (cachestat, 451, is the last of these),
// and takes an older way only if they are not there. All architectures have the same numbers for them; those of x32
// begin later.
constexpr std::uint32_t kFirstNewer = 452;
constexpr std::uint32_t kFirstOfX32 = 0x40000000;

sock_filter load(std::size_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
sock_filter verdict(std::uint32_t value) { return BPF_STMT(BPF_RET | BPF_K, value); }
sock_filter skip_unless(long value) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(value), 0, 1);
}

// Where the lower half of an argument is: both architectures are little endian.
std::size_t offset_of(unsigned argument) { return offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t); }

// Loads the argument in the place of the number and, because that is then gone, decides in any case.
void add(std::vector<sock_filter>& program, const RestrictedCall& call) {
  const std::size_t decided = 2 * call.values.size() + 2;
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call.number), 0,
                             static_cast<std::uint8_t>(decided)));
  program.push_back(load(offset_of(call.argument)));
  for (const std::uint32_t value : call.values) {
    program.push_back(skip_unless(value));
    program.push_back(verdict(SECCOMP_RET_ALLOW));
  }
  program.push_back(verdict(SECCOMP_RET_ERRNO | EPERM));
}

std::vector<sock_filter> filter_for(std::span<const long> system_calls, std::span<const RestrictedCall> restricted) {
  std::vector<sock_filter> program{load(offsetof(seccomp_data, arch)),
                                   BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
                                   verdict(SECCOMP_RET_KILL_PROCESS), load(offsetof(seccomp_data, nr))};
  for (const long number : system_calls) {
    program.push_back(skip_unless(number));
    program.push_back(verdict(SECCOMP_RET_ALLOW));
  }
  for (const RestrictedCall& call : restricted) add(program, call);
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kFirstNewer, 0, 2));
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kFirstOfX32, 1, 0));
  program.push_back(verdict(SECCOMP_RET_ERRNO | ENOSYS));
  program.push_back(verdict(SECCOMP_RET_ERRNO | EPERM));
  return program;
}

}  // namespace

Result<> allow_only(std::span<const long> system_calls, std::span<const RestrictedCall> restricted) {
  std::vector<sock_filter> filter = filter_for(system_calls, restricted);
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  const long failed = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  if (failed > 0) return fail(Code::kInternal, "filter system calls: a thread has a filter of its own");
  if (failed < 0) return fail_errno("filter system calls");
  return Ok{};
}

}  // namespace sbx
