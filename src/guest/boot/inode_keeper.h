// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/fd.h"
#include "loop/loop.h"

namespace sbx::guest {

// The host's file server holds a descriptor for each file of the shared directories that this kernel remembers, and a
// kernel with memory to spare remembers them all. Once they come close to what the host may hold, this makes it forget.
class InodeKeeper {
 public:
  InodeKeeper(loop::Loop& loop, std::int64_t most) : loop_(loop), most_(most) {}
  void start();

 private:
  void look_again();
  void look();
  std::optional<std::int64_t> count() const;

  loop::Loop& loop_;
  std::int64_t most_;
  loop::Loop::Timer next_look_;
  Fd counter_;  // of this one kind of inode; without it, the list of all that a kernel has is read
};

// How many the kernel remembers now: from /sys/kernel/slab/fuse_inode/objects, and from /proc/slabinfo.
std::optional<std::int64_t> shared_inodes_counted(std::string_view objects);
std::optional<std::int64_t> shared_inodes_listed(std::string_view slabinfo);

}  // namespace sbx::guest
