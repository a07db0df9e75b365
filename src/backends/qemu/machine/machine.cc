// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/machine/machine.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "backends/kvm.h"
#include "backends/mounting.h"
#include "backends/qemu/kit/bzimage.h"
#include "backends/qemu/machine/attempt.h"
#include "backends/qemu/machine/command_line.h"
#include "backends/qemu/machine/firmware.h"
#include "backends/qemu/machine/jail.h"
#include "backends/qemu/machine/memory.h"
#include "backends/qemu/machine/programs.h"
#include "backends/qemu/machine/shares.h"
#include "backends/qemu/machine/tsc.h"
#include "backends/qemu/machine/warden.h"
#include "backends/stopwatch.h"
#include "base/fault.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/socket.h"
#include "idmap/idmap.h"

namespace sbx::backends::qemu {
namespace {

constexpr const char* kKvm = "/dev/kvm";
constexpr const char* kMemoryDirectory = "/memory";  // in QEMU's jail
constexpr const char* kFirmwareDirectories[] = {"/usr/share/qemu", "/usr/share/seabios"};
// As root, the ids after the guest's and the shim's own; for an ordinary user the last of the guest's (`nobody`).
constexpr std::uint32_t kQemuOffset = idmap::kGuestIds + 1;
constexpr std::uint32_t kNobody = 65534;
constexpr rlim_t kDescriptors = 1 << 20;  // the most that a kernel allows (fs.nr_open) by default

std::string described(const std::string& name, const Exit& exit) {
  if (exit.signal != 0) return name + " was killed (signal " + std::to_string(exit.signal) + ")";
  return name + " ended (status " + std::to_string(exit.code) + ")";
}

class QemuMachine : public Machine {
 public:
  QemuMachine(pid_t qemu, pid_t virtiofsd, Warden warden, Fd channel, Fd console, Timings timings, std::int64_t files,
              Attempt attempt)
      : qemu_(qemu),
        virtiofsd_(virtiofsd),
        warden_(std::move(warden)),
        channel_(std::move(channel)),
        console_(std::move(console)),
        timings_(std::move(timings)),
        shared_file_limit_(files),
        attempt_(std::move(attempt)) {}

  Fd take_channel() override { return std::move(channel_); }
  Fd take_console() override { return std::move(console_); }
  std::int64_t shared_file_limit() const override { return shared_file_limit_; }
  pid_t pid() const override { return qemu_; }
  Timings timings() const override { return timings_; }
  std::string attempt() override { return attempt_.told(); }

  std::optional<std::string> end_of(pid_t pid, const Exit& exit) const override {
    if (pid == virtiofsd_) return described("virtiofsd", exit);
    if (pid == warden_.pid()) return described("its warden", exit);
    if (pid != qemu_) return std::nullopt;
    return exit.code == 0 ? "the guest powered off" : described("QEMU", exit);
  }

  void kill() override { warden_.kill(); }

 private:
  pid_t qemu_;  // children of this process, which they do not outlive
  pid_t virtiofsd_;
  Warden warden_;
  Fd channel_;
  Fd console_;
  Timings timings_;
  std::int64_t shared_file_limit_;
  Attempt attempt_;
};

// virtiofsd holds a descriptor for each file that the guest knows, so the more the better; not everybody may ask for
// more than the hard limit. Inherited by both.
Result<std::int64_t> raise_descriptor_limit() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return fail_errno("read the limit of descriptors");
  const rlimit many{kDescriptors, kDescriptors};
  if (files.rlim_max < kDescriptors && ::setrlimit(RLIMIT_NOFILE, &many) == 0) return kDescriptors;
  files.rlim_cur = files.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &files) != 0) return fail_errno("raise the limit of descriptors");
  return static_cast<std::int64_t>(std::min<rlim_t>(files.rlim_max, kDescriptors));
}

Result<> add_kvm(Jail& jail) {
  struct stat info {};
  if (::stat(kKvm, &info) != 0) return fail_errno(kKvm);
  TRY(add_device(jail, kKvm));
  jail.groups = qemu_groups(info.st_gid);
  return Ok{};
}

struct Wires {
  SocketPair channel;
  SocketPair console;
};

struct Files {
  Fd image;
  Fd disk;
};

Result<Jail> qemu_jail(const MachineSpec& spec, const Kit& kit, const std::string& program, bool kvm, bool privileged) {
  Jail jail;
  jail.uid = jail.gid = privileged ? spec.id_base + kQemuOffset : kNobody;
  TRY(add_libraries(jail));
  TRY(add_system(jail, program));
  for (const char* firmware : kFirmwareDirectories)
    if (exists(firmware)) TRY(add_system(jail, firmware));
  for (const auto& [path, file] : {std::pair{"/kernel", &kit.kernel}, {"/initramfs", &kit.initramfs}}) {
    TRY_ASSIGN(Shared shared, share_system(*file));
    jail.entries.push_back({path, std::move(shared)});
  }
  TRY(add_device(jail, "/dev/null"));
  if (kvm) TRY(add_kvm(jail));
  jail.keeps_groups = !privileged;
  return jail;
}

Hardware hardware_of(const MachineSpec& spec, const std::string& program, const Firmware& firmware, bool kvm) {
  Hardware hardware;
  hardware.program = program;
  hardware.firmware = firmware;
  hardware.kvm = kvm;
  hardware.cpus = std::max(1, static_cast<int>(std::ceil(spec.limits.cpus)));
  hardware.memory = spec.limits.memory;
  hardware.memory_file = std::string(kMemoryDirectory) + "/" + kMemoryFile;
  hardware.kernel = "/kernel";
  hardware.initramfs = "/initramfs";
  return hardware;
}

Result<Fd> take_lock(const MachineSpec& spec) {
  TRY_ASSIGN(Fd lock, open_path(lock_of(spec), O_RDWR | O_CREAT | O_NOFOLLOW));
  TRY_ASSIGN(const bool free, try_lock_file(lock, lock_of(spec)));
  if (!free) return fail(Code::kConflict, "another machine of this sandbox still runs");
  return lock;
}

Result<Files> open_files(const MachineSpec& spec) {
  Files files;
  TRY_ASSIGN(files.image, open_path(spec.template_image, O_RDONLY));
  TRY_ASSIGN(files.disk, open_path(disk_of(spec), O_RDWR | O_NOFOLLOW));
  return files;
}

Result<Child> start_qemu(Jail& jail, Hardware hardware, const Files& files, const Wires& wires, const Shares& shares,
                         const Fd& lock, const Fd& log) {
  Command command;
  const auto pass = [&command](const Fd& fd) {
    command.passed_fds.push_back(fd.get());
    return static_cast<int>(2 + command.passed_fds.size());
  };
  hardware.template_fd = pass(files.image);
  hardware.disk_fd = pass(files.disk);
  hardware.channel_fd = pass(wires.channel.theirs);
  hardware.console_fd = pass(wires.console.theirs);
  hardware.shared_fd = pass(shares.connection);
  pass(lock);
  command.argv = qemu_command(hardware);
  command.environment.emplace();
  command.stderr_fd = log.get();
  return start_jailed(jail, std::move(command));
}

}  // namespace

std::string disk_of(const MachineSpec& spec) { return spec.state_directory + "/Docker.raw"; }
std::string lock_of(const MachineSpec& spec) { return spec.state_directory + "/machine.lock"; }

// In this order: what is found by path in a user's home comes before the namespaces, in which the path may be closed.
Result<std::unique_ptr<Machine>> start_machine(const MachineSpec& spec, const Kit& kit, bool kvm) {
  const TscMeter tsc;
  Stopwatch watch;
  const bool privileged = idmap::privileged();
  TRY_ASSIGN(const std::string program, find_qemu());
  TRY_ASSIGN(const Firmware firmware, find_firmware());
  TRY_ASSIGN(const Files files, open_files(spec));
  TRY_ASSIGN(const std::string kernel_head, image_head(kit.kernel));
  TRY_ASSIGN(const Fd lock, take_lock(spec));
  TRY_ASSIGN(const Fd log, open_path(spec.state_directory + "/shim.log", O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW));
  Wires wires;
  TRY_ASSIGN(wires.channel, make_socket_pair());
  TRY_ASSIGN(wires.console, make_socket_pair());
  TRY_ASSIGN(const std::int64_t files_limit, raise_descriptor_limit());
  TRY_ASSIGN(Attempt attempt, Attempt::begin(spec.state_directory + "/shim.log"));
  TRY_WITHIN("isolate the mounts", enter_mount_namespace());
  watch.lap("prepare");

  TRY_ASSIGN(Shares shares, start_shares(spec, kit.modules, lock, log));
  if (fault_here("shim.mounted")) return fail(Code::kInternal, "fault injected after mounting");
  watch.lap("virtiofsd");

  TRY_ASSIGN(Jail jail, qemu_jail(spec, kit, program, kvm, privileged));
  TRY_ASSIGN(Memory memory, make_memory(spec.limits.memory, jail.uid, jail.gid));
  jail.entries.push_back({kMemoryDirectory, std::move(memory.directory)});
  Hardware hardware = hardware_of(spec, program, firmware, kvm);
  hardware.tsc_khz = tsc.khz();
  attempt.made_of(hardware, kit.kernel);
  TRY_ASSIGN(Child qemu, start_qemu(jail, hardware, files, wires, shares, lock, log));
  if (fault_here("shim.runtime-started")) return fail(Code::kInternal, "fault injected after the runtime");
  watch.lap("qemu_exec");
  TRY_ASSIGN(Warden warden, Warden::post({&qemu.pidfd(), &shares.server.pidfd()}));
  provide(memory.file, boot_footprint(kernel_head, spec.limits.memory));
  watch.lap("memory");
  return std::unique_ptr<Machine>(new QemuMachine(qemu.release(), shares.server.release(), std::move(warden),
                                                  std::move(wires.channel.ours), std::move(wires.console.ours),
                                                  watch.laps(), files_limit, std::move(attempt)));
}

}  // namespace sbx::backends::qemu
