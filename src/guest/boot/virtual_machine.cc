// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/virtual_machine.h"

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
#include <cstdlib>
#include <cstring>

#include "base/file.h"
#include "base/text.h"
#include "guest/boot/emulation.h"
#include "guest/boot/fault_around.h"
#include "guest/boot/first_processor.h"
#include "guest/boot/modprobe.h"
#include "guest/boot/mounts.h"
#include "guest/boot/processors.h"
#include "guest/boot/timing.h"
#include "guest/exec/process.h"

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
Result<> limit_threads(std::int64_t most, int inits) {
  if (most <= 0) return Ok{};
  struct sysinfo info {};
  if (::sysinfo(&info) != 0) return fail_errno("count the kernel's threads");
  return write_file("/proc/sys/kernel/threads-max", std::to_string(most + info.procs + inits));
}

}  // namespace

// The host may have switched it off, to measure what it is worth (src/backends/qemu/without.h).
bool VirtualMachine::keeps_spare() const { return is_emulated() && std::getenv("SANDBOXD_WITHOUT") == nullptr; }

Result<Timings> VirtualMachine::set_up(const wire::GuestConfig& config, const Warn& warn) {
  TRY(set_clock(config.clock_us));
  TRY(add_seed(config.seed));
  TRY_ASSIGN(Root root, timed(timings_, "root", Root::enter));
  root_.emplace(std::move(root));
  TRY(timed(timings_, "mounts", mount_system));
  TRY(bound_tmp(config.max_tmp));
  // Before what is shared: its place is made in the guest's own root, and not in a directory of the user's.
  if (config.docker) TRY(root_->mount_directory("docker", "/var/lib/docker"));
  TRY(timed(timings_, "shared", [&] { return mount_shared(config.mounts); }));
  inodes_.emplace(loop_, config.max_shared_files).start();
  TRY(bring_up_loopback());
  TRY(System::set_up(config, warn));
  if (!offered_) warn("the kernel can load no more modules: " + offered_.error().what());
  // Last, because what is done until here makes the kernel change its own code (backends/qemu/machine/command_line.cc).
  const auto started = timed(timings_, "processors", [] { return start_processors(); });
  if (!started) warn("not all processors run: " + started.error().what());
  if (const auto limited = limit_threads(config.max_processes, keeps_spare() ? kSpareAndItsThread : 0); !limited)
    warn(limited.error().what());
  timings_.emplace_back("network_modules", network_modules_.duration_us());
  timings_.emplace_back("uptime", uptime_us());
  stay_on_first_processor();
  never_preempt();
  after_first_exec_ = loop_.after(kAfterFirstExec, map_fewer_pages_around);
  return timings_;
}

Result<> VirtualMachine::prepare_network() {
  offered_ = offer_modules();  // for networks in the guest, most of all; here, where the boot does not wait for it
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
