// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "guest/boot/inode_keeper.h"
#include "guest/boot/machine.h"
#include "guest/boot/root.h"
#include "guest/network/network_modules.h"

namespace sbx::guest {

// A system with a kernel of its own, whose boot() is done: everything that a container gets from its runtime is made
// here, once the host has said whose machine it is.
class VirtualMachine : public System {
 public:
  VirtualMachine(loop::Loop& loop, Timings timings) : System(loop) { timings_ = std::move(timings); }

  Result<Timings> set_up(const wire::GuestConfig& config, const Warn& warn) override;
  Result<> set_clock(std::int64_t microseconds) override;
  bool keeps_spare() const override;
  bool shares_kernel() const override { return false; }
  const Fd* changes() const override { return root_ ? &root_->changes() : nullptr; }

  // There is nowhere to exit to: it leaves its disk whole and powers off.
  void leave() override;

 private:
  Result<> prepare_network() override;

  NetworkModules network_modules_;
  Result<> offered_ = Ok{};  // the other modules (guest/boot/modprobe.h)
  std::optional<Root> root_;
  std::optional<InodeKeeper> inodes_;
  loop::Loop::Timer after_first_exec_;
};

}  // namespace sbx::guest
