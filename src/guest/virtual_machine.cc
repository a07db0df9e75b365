// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/virtual_machine.h"

#include <fcntl.h>
#include <linux/random.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>

#include "base/file.h"
#include "base/text.h"
#include "guest/fault_around.h"
#include "guest/first_processor.h"
#include "guest/modprobe.h"
#include "guest/mounts.h"
#include "guest/process.h"
#include "guest/processors.h"
#include "guest/timing.h"

namespace sbx::guest {
namespace {

Result<> bring_up_loopback() {
  const Fd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket) return fail_errno("make a socket");
  ifreq request{};
  std::strncpy(request.ifr_name, "lo", IFNAMSIZ - 1);
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  if (::ioctl(socket.get(), SIOCSIFFLAGS, &request) != 0) return fail_errno("bring up lo");
  return Ok{};
}

// The kernel mixes it in whatever it is worth, so a bad one does no harm.
Result<> add_seed(const std::string& seed) {
  if (seed.empty()) return Ok{};
  // A rand_pool_info with its bytes: entropy in bits, size in bytes, then the bytes. A hexadecimal digit is worth 4
  // bits.
  std::array<char, 8 + 64> pool{};
  const int size = static_cast<int>(seed.copy(pool.data() + 8, pool.size() - 8));
  const int entropy = size * 4;
  std::memcpy(pool.data(), &entropy, sizeof entropy);
  std::memcpy(pool.data() + 4, &size, sizeof size);
  TRY_ASSIGN(const Fd random, open_path("/dev/urandom", O_RDWR));
  if (::ioctl(random.get(), RNDADDENTROPY, pool.data()) != 0) return fail_errno("seed the random numbers");
  return Ok{};
}

constexpr int kSpareAndItsThread = 2;

// What is not needed for it need not delay it.
constexpr std::chrono::seconds kAfterFirstExec{1};

// All that the kernel has to give is this guest's, so the limit is one of the kernel's own. It counts the kernel's own
// threads, too, which are there by now.
Result<> limit_threads(std::int64_t most) {
  if (most <= 0) return Ok{};
  struct sysinfo info {};
  if (::sysinfo(&info) != 0) return fail_errno("count the kernel's threads");
  return write_file("/proc/sys/kernel/threads-max", std::to_string(most + info.procs + kSpareAndItsThread));
}

}  // namespace

Result<Json> VirtualMachine::set_up(const wire::GuestConfig& config, const Warn& warn) {
  TRY(set_clock(config.clock_us));
  TRY(add_seed(config.seed));
  TRY_ASSIGN(Root root, timed(timings_, "root", Root::enter));
  root_.emplace(std::move(root));
  TRY(timed(timings_, "mounts", mount_system));
  TRY(timed(timings_, "shared", [&] { return mount_shared(config.mounts); }));
  inodes_.emplace(loop_, config.max_shared_files).start();
  TRY(bring_up_loopback());
  TRY(System::set_up(config, warn));
  if (!offered_) warn("the kernel can load no more modules: " + offered_.error().what());
  // Last, because what is done until here makes the kernel change its own code (backends/qemu/command_line.cc).
  const auto started = timed(timings_, "processors", [] { return start_processors(); });
  if (!started) warn("not all processors run: " + started.error().what());
  if (const auto limited = limit_threads(config.max_processes); !limited) warn(limited.error().what());
  timings_["network_modules"] = network_modules_.duration_us();
  timings_["uptime"] = uptime_us();
  stay_on_first_processor();
  interrupt_nobody();
  after_first_exec_ = loop_.after(kAfterFirstExec, map_fewer_pages_around);
  return timings_;
}

Result<> VirtualMachine::prepare_network() {
  offered_ = offer_modules();  // for networks in the guest, most of all; here, because here it makes nobody wait
  return network_modules_.wait();
}

Result<> VirtualMachine::set_clock(std::int64_t microseconds) {
  if (microseconds == 0) return Ok{};
  const timeval now{microseconds / 1'000'000, microseconds % 1'000'000};
  if (::settimeofday(&now, nullptr) != 0) return fail_errno("set the clock");
  return Ok{};
}

void VirtualMachine::leave() {
  if (root_) root_->freeze();
  ::reboot(RB_POWER_OFF);
  ::reboot(RB_AUTOBOOT);  // a machine that cannot power off is told not to come back
  ::_exit(code_);
}

}  // namespace sbx::guest
