// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "base/timings.h"
#include "guest/boot/accounts.h"
#include "loop/loop.h"
#include "wire/guest.h"

namespace sbx::guest {

// What the server does to the system as a whole. There is one System; tests have a harmless one of their own.
class GuestMachine {
 public:
  using Warn = std::function<void(std::string_view line)>;

  virtual ~GuestMachine() = default;
  // Makes the system what the configuration says. Returns step → microseconds.
  virtual Result<Timings> set_up(const wire::GuestConfig& config, const Warn& warn) = 0;
  // The host's wall clock, in a machine that has one of its own.
  virtual Result<> set_clock(std::int64_t microseconds) = 0;
  // Whether a process is kept ready for the next exec (Spare): where starting one is slow.
  virtual bool keeps_spare() const { return false; }
  // Whether the kernel is the host's, so that sockets of the host's could be reached by their paths (SocketWall).
  virtual bool shares_kernel() const { return false; }
  // What the guest has changed, in the form of overlayfs, if that is not among the host's files. Null: it is.
  virtual const Fd* changes() const { return nullptr; }
  virtual void signal_everyone(int number) = 0;
  // The last thing that is called: init is to exit with this code, or power off.
  virtual void end(int code) = 0;
};

// The running system, with this process as its PID 1: in a container, where the runtime has done the rest.
class System : public GuestMachine {
 public:
  explicit System(loop::Loop& loop) : loop_(loop) {}

  Result<> mount_missing();  // first of all, because everything else needs /proc and /dev
  Result<Timings> set_up(const wire::GuestConfig& config, const Warn& warn) override;
  Result<> set_clock(std::int64_t) override { return Ok{}; }
  bool shares_kernel() const override { return true; }
  void signal_everyone(int number) override;
  void end(int code) override;

  // After the loop has ended. A container's files are in the host's cache, and syncing there would wait for every disk
  // of the host's: it just exits.
  virtual void leave();  // does not return

 protected:
  // What the network needs of the kernel before it can be set up: nothing in a container. Called in another thread.
  virtual Result<> prepare_network() { return Ok{}; }
  Result<> set_up_network();
  void set_up_mcp(const wire::GuestMcp& mcp, const Account& agent, const Warn& warn);
  void set_up_names_and_trust(const wire::GuestNetwork& network, const Warn& warn);

  loop::Loop& loop_;
  Timings timings_;
  int code_ = 0;
};

}  // namespace sbx::guest
