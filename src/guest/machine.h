// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "loop/loop.h"
#include "wire/guest.h"

namespace sbx::guest {

// What the server does to the system as a whole. There is one System; tests have a harmless one of their own.
class Machine {
 public:
  using Warn = std::function<void(std::string_view line)>;

  virtual ~Machine() = default;
  // Makes the system what the configuration says. Returns step → microseconds.
  virtual Result<Json> set_up(const wire::GuestConfig& config, const Warn& warn) = 0;
  virtual void signal_everyone(int number) = 0;
  // The last thing that is called: init is to exit with this code, or power off.
  virtual void end(int code) = 0;
};

// The running system, with this process as its PID 1.
class System : public Machine {
 public:
  enum class Kind { kContainer, kVirtualMachine };
  System(loop::Loop& loop, Kind kind) : loop_(loop), kind_(kind) {}

  Result<> mount_missing();  // first of all, because everything else needs /proc and /dev
  Result<Json> set_up(const wire::GuestConfig& config, const Warn& warn) override;
  void signal_everyone(int number) override;
  void end(int code) override;

  // After the loop has ended. A virtual machine has nowhere to exit to: it syncs its disks and powers off. A
  // container's files are in the host's cache, and syncing there would wait for every disk of the host's.
  [[noreturn]] void leave();

 private:
  loop::Loop& loop_;
  Kind kind_;
  Json timings_ = Json::object();
  int code_ = 0;
};

}  // namespace sbx::guest
