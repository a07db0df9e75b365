// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "loop/loop.h"

namespace sbx::guest {

// The host's file server holds a descriptor for each file of the shared directories that this kernel remembers, and a
// kernel with memory to spare remembers them all. Once they come close to what the host may hold, this makes it forget.
class InodeKeeper {
 public:
  InodeKeeper(loop::Loop& loop, std::int64_t most) : loop_(loop), most_(most) {}
  void start();

 private:
  void look();

  loop::Loop& loop_;
  std::int64_t most_;
};

// How many the kernel remembers now, from /proc/slabinfo.
std::optional<std::int64_t> shared_inodes(std::string_view slabinfo);

}  // namespace sbx::guest
