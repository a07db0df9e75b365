// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/machine.h"

#include <signal.h>
#include <sys/reboot.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include "base/clock.h"
#include "guest/agent.h"
#include "guest/hostname.h"
#include "guest/mounts.h"

namespace sbx::guest {
namespace {

template <class Step>
auto timed(Json& timings, const char* name, Step step) {
  const SteadyTime begin = steady_now();
  auto result = step();
  timings[name] = std::chrono::duration_cast<std::chrono::microseconds>(steady_now() - begin).count();
  return result;
}

Result<> set_clock(std::int64_t microseconds) {
  if (microseconds == 0) return Ok{};
  const timeval now{microseconds / 1'000'000, microseconds % 1'000'000};
  if (::settimeofday(&now, nullptr) != 0) return fail_errno("set the clock");
  return Ok{};
}

}  // namespace

Result<> System::mount_missing() { return timed(timings_, "mounts", mount_system); }

Result<Json> System::set_up(const wire::GuestConfig& config, const Warn& warn) {
  TRY(timed(timings_, "clock", [&] { return set_clock(config.clock_us); }));
  TRY(timed(timings_, "shared", [&] { return mount_shared(config.mounts); }));
  // A full or read-only disk must not keep the user out of a sandbox: without these it works, if less comfortably.
  const auto hostname = timed(timings_, "hostname", [&] { return ensure_hostname(config.hostname); });
  if (!hostname) warn("the host name is not set: " + hostname.error().what());
  const auto agent = timed(timings_, "agent", [] { return ensure_agent(); });
  if (!agent) warn("the user agent is not set up: " + agent.error().what());
  return timings_;
}

void System::signal_everyone(int number) {
  // From any other process this would reach everything that the user may signal.
  if (::getpid() != 1) std::abort();
  ::kill(-1, number);
}

void System::end(int code) {
  code_ = code;
  loop_.stop();
}

void System::leave() {
  if (kind_ == Kind::kVirtualMachine) {
    ::sync();
    ::reboot(RB_POWER_OFF);
  }
  ::_exit(code_);
}

}  // namespace sbx::guest
