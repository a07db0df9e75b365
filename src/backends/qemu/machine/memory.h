// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/sharing.h"
#include "base/fd.h"
#include "base/result.h"

// A machine's memory: a file of its own tmpfs, which only QEMU sees, in its jail, and virtiofsd, which is given
// the descriptor by QEMU. It is a file of ours rather than QEMU's so that we can have pages ready before the guest
// wants them.
namespace sbx::backends::qemu {

struct Memory {
  Fd file;
  Shared directory;  // to be attached in the jail; the file in it is kMemoryFile
};

inline constexpr const char* kMemoryFile = "guest";
inline constexpr std::int64_t kMiB = 1 << 20;

// It belongs to the user that QEMU will be.
Result<Memory> make_memory(std::int64_t bytes, uid_t uid, gid_t gid);

struct MemoryRange {
  std::int64_t begin = 0;
  std::int64_t size = 0;
  bool operator==(const MemoryRange&) const = default;
};

// What a kernel will have touched by the end of its boot, as far as one can tell: its own segments (`kernel` is the
// beginning of its file), the first pages that it hands out, and its table of all pages, which is the highest in
// memory. Part of the file of a machine with that much memory; empty for a kernel that is not ELF.
std::vector<MemoryRange> boot_footprint(std::string_view kernel, std::int64_t memory);

// Gives the machine these pages now. Each of them would otherwise be a fault that the guest's processor waits for, one
// after the other; here they are made by another processor, while QEMU is still starting. A host that cannot (before
// Linux 5.14, or short of memory) leaves them to be made when they are touched.
void provide(const Fd& memory, std::span<const MemoryRange> ranges);

}  // namespace sbx::backends::qemu
