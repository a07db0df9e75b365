// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/microvm.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "backends/disk_image.h"
#include "backends/disk_size.h"
#include "backends/kvm.h"
#include "backends/oci/cgroup.h"
#include "backends/oci/host_checks.h"
#include "backends/qemu/kit/kernel.h"
#include "backends/qemu/kit/kit.h"
#include "backends/qemu/machine/firmware.h"
#include "backends/qemu/machine/machine.h"
#include "backends/qemu/machine/memory.h"
#include "backends/qemu/machine/programs.h"
#include "backends/qemu/template_image.h"
#include "backends/sharing.h"
#include "base/child.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/lock.h"
#include "idmap/idmap.h"

namespace sbx::backends::qemu {
namespace {

constexpr std::int64_t kLeastMemory = 128 * kMiB;
constexpr std::int64_t kMostByDefault = 8192 * kMiB;
constexpr std::chrono::seconds kLastMoments{10};

std::int64_t host_memory() {
  return static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE));
}

double host_cpus() { return static_cast<double>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN))); }

template <class T>
Check outcome(std::string name, const Result<T>& result, std::string good) {
  if (result) return {std::move(name), CheckStatus::kPass, std::move(good), ""};
  return {std::move(name), CheckStatus::kFail, result.error().what(), result.error().hint()};
}

Result<std::string> found(const std::string& program, const std::string& package) {
  if (auto path = find_program(program)) return std::move(*path);
  return fail(Code::kUnavailable, program + " is not installed", "sudo apt-get install " + package);
}

// QEMU and virtiofsd are killed by the kernel with their shim; their lock tells when they are gone.
Result<> await_end(const MachineSpec& spec) {
  const auto lock = open_path(lock_of(spec), O_RDWR | O_NOFOLLOW);
  if (!lock) return Ok{};
  TRY_ASSIGN(const bool ended, lock_file_until(*lock, lock_of(spec), steady_now() + kLastMoments));
  return ended ? Result<>() : fail(Code::kTimeout, "QEMU or virtiofsd cannot be ended");
}

class MicroVm : public Backend {
 public:
  explicit MicroVm(Settings settings) : settings_(std::move(settings)), kvm_(hardware_kvm()) {}

  std::string_view name() const override { return "microvm"; }
  wire::Isolation isolation() const override {
    return kvm_ ? wire::Isolation::kMicrovm : wire::Isolation::kMicrovmEmulated;
  }
  Traits traits() const override { return {.own_kernel = true, .limits_enforced = true}; }

  Result<> available() const override;
  Result<Grant> grant(const wire::Limits& limits, const std::string& home) const override;
  Result<AgentIds> agent_for(const std::vector<wire::Mount>& mounts) const override { return agent_sharing(mounts); }
  std::vector<wire::GuestMount> guest_mounts(const MachineSpec& spec) const override;
  Result<> prepare(const MachineSpec& spec, const Progress& progress) const override;
  Result<std::unique_ptr<Machine>> start(const MachineSpec& spec) override;
  Result<> clean_up(const MachineSpec& spec) const override;
  Result<> destroy(const MachineSpec& spec) const override;
  std::vector<Check> checks(const std::string& home) const override;

 private:
  Result<Kit> kit_for(const MachineSpec& spec) const;

  Settings settings_;
  bool kvm_;
};

Result<> MicroVm::available() const {
  TRY(find_qemu());
  TRY(find_firmware());
  TRY(find_virtiofsd());
  TRY(find_kernel(settings_));
  TRY(found("mkfs.erofs", "erofs-utils"));
  TRY(found("mkfs.ext4", "e2fsprogs"));
  return oci::user_namespaces_work();
}

Result<Grant> MicroVm::grant(const wire::Limits& limits, const std::string& home) const {
  wire::Limits whole = limits;
  // A machine has whole processors; what inspect shows is what it gets.
  // An emulated one has one of them unless it is asked for more: each further one makes a boot longer, and programs on
  // several are where QEMU before 8.1 may run code that was changed meanwhile (command_line.cc).
  whole.cpus = whole.cpus == 0 ? (kvm_ ? host_cpus() : 1) : std::ceil(whole.cpus);
  if (whole.memory == 0) whole.memory = std::min(host_memory() / 2, kMostByDefault) / kMiB * kMiB;
  if (whole.memory < kLeastMemory)
    return fail(Code::kInvalid, "--memory: a microVM needs at least 128 MiB", "--memory 1g");
  if (whole.cpus > host_cpus())
    return fail(Code::kInvalid, "--cpus: this host has " + std::to_string(static_cast<int>(host_cpus())));
  TRY_ASSIGN(const Room room, room_in(home));
  TRY_ASSIGN(DiskSize disk, disk_size(limits.disk, room));
  whole.disk = disk.bytes;
  whole.disk_bound = wire::DiskBound::kVirtualDisk;
  return Grant{whole, std::move(disk.note)};
}

std::vector<wire::GuestMount> MicroVm::guest_mounts(const MachineSpec& spec) const {
  std::vector<wire::GuestMount> mounts{{wire::kModulesTag, wire::kModulesTarget, true}};
  for (std::size_t i = 0; i < spec.mounts.size(); ++i)
    mounts.push_back({"m" + std::to_string(i), spec.mounts[i].target, spec.mounts[i].readonly});
  return mounts;
}

Result<Kit> MicroVm::kit_for(const MachineSpec& spec) const {
  return ready_kit(settings_, spec.init_program, spec.cache_directory);
}

Result<> MicroVm::prepare(const MachineSpec& spec, const Progress& progress) const {
  TRY(kit_for(spec));
  TRY(ready_template_image(spec, progress));
  return ready_disk(disk_of(spec), spec.limits.disk, spec.cache_directory);
}

Result<std::unique_ptr<Machine>> MicroVm::start(const MachineSpec& spec) {
  TRY_ASSIGN(const Kit kit, kit_for(spec));
  return start_machine(spec, kit, kvm_);
}

Result<> MicroVm::clean_up(const MachineSpec& spec) const {
  TRY(await_end(spec));
  TRY(oci::Cgroups::detect().remove(spec.id));
  TRY(remove_file(lock_of(spec)));
  TRY(remove_file(spec.state_directory + "/virtiofs.sock"));
  return remove_file(spec.state_directory + "/shim.sock");
}

Result<> MicroVm::destroy(const MachineSpec& spec) const {
  TRY(clean_up(spec));
  return remove_file(disk_of(spec));
}

std::vector<Check> MicroVm::checks(const std::string& /*home*/) const {
  const auto qemu = find_qemu();
  const auto firmware = find_firmware();
  const auto virtiofsd = find_virtiofsd();
  const auto kernel = find_kernel(settings_);
  return {kvm_check(),
          outcome("QEMU", qemu, qemu.value_or("")),
          outcome("firmware", firmware, firmware ? firmware->path : ""),
          outcome("virtiofsd", virtiofsd, virtiofsd ? virtiofsd->path : ""),
          outcome("guest kernel", kernel, kernel ? kernel->image : ""),
          outcome("EROFS tools", found("mkfs.erofs", "erofs-utils"), "mkfs.erofs"),
          outcome("ext4 tools", found("mkfs.ext4", "e2fsprogs"), "mkfs.ext4")};
}

}  // namespace

std::unique_ptr<Backend> make_microvm(Settings settings) { return std::make_unique<MicroVm>(std::move(settings)); }

}  // namespace sbx::backends::qemu
