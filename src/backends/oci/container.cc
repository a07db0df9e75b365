// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/oci/container.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "backends/disk_size.h"
#include "backends/host_changes.h"
#include "backends/oci/bundle.h"
#include "backends/oci/cgroup.h"
#include "backends/oci/host_checks.h"
#include "backends/oci/runtime.h"
#include "backends/oci/seccomp.h"
#include "backends/oci/staging.h"
#include "backends/oci/writable_layer.h"
#include "backends/sharing.h"
#include "backends/socket_covers.h"
#include "backends/stopwatch.h"
#include "base/fault.h"
#include "base/file.h"
#include "base/format.h"
#include "base/text.h"

namespace sbx::backends::oci {
namespace {

// Below that the runtime itself cannot start a program.
constexpr std::int64_t kLeastMemory = 6 << 20;

double host_cpus() { return static_cast<double>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN))); }

class ContainerMachine : public Machine {
 public:
  ContainerMachine(Fd channel, pid_t pid, Fd pidfd, CoveredSockets sockets, Timings timings)
      : channel_(std::move(channel)),
        pid_(pid),
        pidfd_(std::move(pidfd)),
        sockets_(std::move(sockets)),
        timings_(std::move(timings)) {}

  Fd take_channel() override { return std::move(channel_); }
  pid_t pid() const override { return pid_; }
  CoveredSockets covered_sockets() const override { return sockets_; }
  Timings timings() const override { return timings_; }
  std::optional<std::string> end_of(pid_t pid, const Exit& exit) const override {
    if (pid != pid_) return std::nullopt;
    if (exit.signal != 0) return "the machine was killed (signal " + std::to_string(exit.signal) + ")";
    return "the machine ended by itself (status " + std::to_string(exit.code) + ")";
  }
  // Without its channel init ends by itself; whatever does not is left to the daemon, which has the privileges.
  // By its handle, because a confined shim may not signal a process by number.
  void kill() override { ::syscall(SYS_pidfd_send_signal, pidfd_.get(), SIGKILL, nullptr, 0); }

 private:
  Fd channel_;
  pid_t pid_;
  Fd pidfd_;
  CoveredSockets sockets_;
  Timings timings_;
};

// An ordinary user's runtime runs inside the mapped namespace already, and maps each id to itself: range by range,
// because the kernel takes no range that crosses a border of the outer map.
Result<idmap::IdMap> ids_for(const MachineSpec& spec) {
  if (idmap::privileged()) return guest_map(spec);
  TRY_ASSIGN(idmap::IdMap map, idmap::rootless_map());
  for (auto* ranges : {&map.uids, &map.gids})
    for (auto& range : *ranges) range.outside = range.inside;
  return map;
}

// The process that the runtime left in its pid file, if it is still that one and not a later one with its number.
void kill_first_process(const MachineSpec& spec) {
  const auto text = read_file(spec.state_directory + "/runtime/pid");
  const auto pid = text ? parse_integer(trimmed(*text)) : std::nullopt;
  if (!pid || *pid <= 1) return;
  const auto handle = open_pidfd(static_cast<pid_t>(*pid));
  const auto command_line = read_file("/proc/" + std::to_string(*pid) + "/cmdline");
  std::string expected;
  for (const auto& word : init_command(spec.id)) expected += word + '\0';
  if (handle && command_line && *command_line == expected)
    ::syscall(SYS_pidfd_send_signal, handle->get(), SIGKILL, nullptr, 0);
}

class Container : public Backend, public HostChanges {
 public:
  Container(std::string name, std::vector<std::string> runtimes)
      : name_(std::move(name)), runtimes_(std::move(runtimes)) {}

  std::string_view name() const override { return name_; }
  wire::Isolation isolation() const override {
    return runtimes_.front() == "runsc" ? wire::Isolation::kGvisor : wire::Isolation::kContainer;
  }

  Result<> available() const override {
    TRY(Runtime::find(runtimes_));
    return user_namespaces_work();
  }

  Traits traits() const override { return {.own_kernel = false, .limits_enforced = Cgroups::detect().writable()}; }

  Result<Grant> grant(const wire::Limits& limits, const std::string& home) const override;
  Result<> prepare(const MachineSpec& spec, const Progress& progress) const override;
  Result<AgentIds> agent_for(const std::vector<wire::Mount>& mounts) const override { return agent_sharing(mounts); }
  CoveredSockets sockets_in(const std::vector<wire::Mount>& mounts) const override { return live_sockets_in(mounts); }
  Result<std::unique_ptr<Machine>> start(const MachineSpec& spec) override;
  Result<> clean_up(const MachineSpec& spec) const override;
  Result<> destroy(const MachineSpec& spec) const override;
  Result<HostDirectory> changes_of(const MachineSpec& spec, std::optional<pid_t> shim) const override {
    return layer_for_reading(spec, shim);
  }
  std::vector<Check> checks(const std::string& home) const override { return host_checks(runtimes_, home); }

 private:
  std::string name_;
  std::vector<std::string> runtimes_;
};

// Where nothing can bound a disk, only a sandbox that asked for it is refused.
Result<Grant> Container::grant(const wire::Limits& limits, const std::string& home) const {
  if (limits.memory != 0 && limits.memory < kLeastMemory)
    return fail(Code::kInvalid,
                sbx::format("--memory: {} is too little for a container: at least 6 MiB", bytes_text(limits.memory)),
                "--memory 512m");
  if (limits.cpus > host_cpus())
    return fail(Code::kInvalid, "--cpus: this host has " + std::to_string(static_cast<int>(host_cpus())));
  const auto bound = disk_bound_for(home);
  if (!bound && limits.disk == 0) return Grant{limits, ""};
  if (!bound) return fail(Error(bound.error()).within("--disk cannot be kept here"));
  TRY_ASSIGN(const Room room, room_in(home));
  TRY_ASSIGN(DiskSize disk, disk_size(limits.disk, room));
  Grant grant{limits, std::move(disk.note)};
  grant.limits.disk = disk.bytes;
  grant.limits.disk_bound = *bound;
  return grant;
}

Result<> Container::prepare(const MachineSpec& spec, const Progress& /*progress*/) const { return ready_layer(spec); }

Result<> refuse_unenforceable(const wire::Limits& limits, const Cgroups& cgroups) {
  if (cgroups.writable() || (limits.cpus == 0 && limits.memory == 0)) return Ok{};
  return fail(Code::kUnavailable, "this user may not make cgroups, so --cpus and --memory cannot be enforced",
              "let systemd start the daemon (sandbox daemon stop; systemctl --user start sandboxd), or use --backend "
              "microvm, or no such limits");
}

Result<std::unique_ptr<Machine>> Container::start(const MachineSpec& spec) {
  Stopwatch watch;
  const bool privileged = idmap::privileged();  // asked before the namespaces change the answer
  TRY_ASSIGN(const Runtime runtime, Runtime::find(runtimes_));
  const Cgroups cgroups = Cgroups::detect();
  TRY(refuse_unenforceable(spec.limits, cgroups));
  Bundle bundle;
  TRY_ASSIGN(bundle.ids, ids_for(spec));
  bundle.cgroup_path = cgroups.path_for(spec.id);
  bundle.mount_cgroup = privileged || cgroups.version() == Cgroups::Version::kV2;
  bundle.makes_containers = spec.features.docker;
  bundle.id = spec.id;
  bundle.hostname = spec.hostname;
  bundle.limits = spec.limits;
  bundle.descriptors = guest_descriptor_limits();
  bundle.architecture = kNativeArchitecture;
  const std::string directory = spec.state_directory + "/bundle";
  const std::string state = spec.state_directory + "/runtime";
  TRY(make_directories(directory));
  TRY(make_directories(state, 0711));
  TRY_ASSIGN(SocketPair channel, make_socket_pair());
  watch.lap("prepare");

  TRY_ASSIGN(Staging staging, stage(spec));
  bundle.root = staging.root;
  bundle.init_program = staging.init_program;
  bundle.binds = std::move(staging.binds);
  if (fault_here("shim.mounted")) return fail(Code::kInternal, "fault injected after mounting");
  watch.lap("mounts");

  TRY(write_file(directory + "/config.json", dump(config_of(bundle))));
  TRY_ASSIGN(const pid_t pid, runtime.start(spec.id, directory, state, channel.theirs));
  if (spec.features.docker && privileged) TRY(cgroups.delegate(spec.id, spec.id_base));
  if (fault_here("shim.runtime-started")) return fail(Code::kInternal, "fault injected after the runtime");
  TRY_ASSIGN(Fd pidfd, open_pidfd(pid));  // a child of ours: its number is its own until we have waited for it
  watch.lap("runtime");
  return std::unique_ptr<Machine>(
      new ContainerMachine(std::move(channel.ours), pid, std::move(pidfd), std::move(staging.sockets), watch.laps()));
}

Result<> Container::clean_up(const MachineSpec& spec) const {
  kill_first_process(spec);
  const Cgroups cgroups = Cgroups::detect();
  TRY(cgroups.remove(spec.id));
  TRY(Runtime::wait_for_end(spec.state_directory + "/runtime"));
  TRY(cgroups.remove(spec.id));  // what it made in its last moments
  for (const char* leftover : {"/runtime", "/bundle", "/shim.sock"})
    TRY(idmap::remove_guest_tree(spec.state_directory + leftover));
  return Ok{};
}

Result<> Container::destroy(const MachineSpec& spec) const {
  TRY(clean_up(spec));
  return remove_layer(spec);
}

}  // namespace

std::unique_ptr<Backend> make_container(std::string name, std::vector<std::string> runtimes) {
  return std::make_unique<Container>(std::move(name), std::move(runtimes));
}

}  // namespace sbx::backends::oci
