// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "guest/inode_keeper.h"
#include "guest/machine.h"
#include "guest/network_modules.h"
#include "guest/root.h"

namespace sbx::guest {

// A system with a kernel of its own, whose boot() is done: everything that a container gets from its runtime is made
// here, once the host has said whose machine it is.
class VirtualMachine : public System {
 public:
  VirtualMachine(loop::Loop& loop, Json timings) : System(loop) { timings_ = std::move(timings); }

  Result<Json> set_up(const wire::GuestConfig& config, const Warn& warn) override;
  Result<> set_clock(std::int64_t microseconds) override;
  bool keeps_spare() const override { return true; }
  bool shares_kernel() const override { return false; }

  // There is nowhere to exit to: it leaves its disk whole and powers off.
  void leave() override;

 private:
  Result<> prepare_network() override;

  NetworkModules network_modules_;
  Result<> offered_ = Ok{};  // the other modules (guest/modprobe.h)
  std::optional<Root> root_;
  std::optional<InodeKeeper> inodes_;
  loop::Loop::Timer after_first_exec_;
};

}  // namespace sbx::guest
