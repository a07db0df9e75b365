// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/oci/bundle.h"

#include "backends/oci/seccomp.h"

namespace sbx::backends::oci {
namespace {

constexpr const char* kInitInGuest = "/.sandbox-init";

// What PID 1 holds, in the guest's user namespace only. It passes on less: see src/guest/exec/privileges.cc. The second
// line is what `exec --privileged` gets in addition.
const Json kCapabilities = Json::array(
    {"CAP_CHOWN",      "CAP_DAC_OVERRIDE", "CAP_DAC_READ_SEARCH", "CAP_FSETID",       "CAP_FOWNER",
     "CAP_SETGID",     "CAP_SETUID",       "CAP_SETPCAP",         "CAP_SETFCAP",      "CAP_NET_BIND_SERVICE",
     "CAP_SYS_CHROOT", "CAP_KILL",         "CAP_AUDIT_WRITE",     "CAP_MKNOD",        "CAP_SYS_ADMIN",
     "CAP_NET_ADMIN",  "CAP_NET_RAW",      "CAP_SYS_PTRACE",      "CAP_SYS_RESOURCE", "CAP_IPC_LOCK",
     "CAP_SYS_NICE"});

// What a privileged container in the guest asks for besides: all that there is. In a user namespace these are rights
// over what is the namespace's own, which is nothing for most of them.
const Json kContainerMakersCapabilities = Json::array({"CAP_AUDIT_CONTROL",
                                                       "CAP_AUDIT_READ",
                                                       "CAP_BLOCK_SUSPEND",
                                                       "CAP_BPF",
                                                       "CAP_CHECKPOINT_RESTORE",
                                                       "CAP_IPC_OWNER",
                                                       "CAP_LEASE",
                                                       "CAP_LINUX_IMMUTABLE",
                                                       "CAP_MAC_ADMIN",
                                                       "CAP_MAC_OVERRIDE",
                                                       "CAP_NET_BROADCAST",
                                                       "CAP_PERFMON",
                                                       "CAP_SYSLOG",
                                                       "CAP_SYS_BOOT",
                                                       "CAP_SYS_MODULE",
                                                       "CAP_SYS_PACCT",
                                                       "CAP_SYS_RAWIO",
                                                       "CAP_SYS_TIME",
                                                       "CAP_SYS_TTY_CONFIG",
                                                       "CAP_WAKE_ALARM"});

// What tells of the host's hardware, load and files, and of the layout of its kernel in memory. A runtime leaves out
// those that this kernel does not have.
// diskstats, interrupts, softirqs, zoneinfo, buddyinfo: what others on the host are doing, to the microsecond.
// fs, virtual/block, swaps: names and files of the host's disks; a loop device tells the path of its file.
// vmcoreinfo, boot_params, notes, btf, kallsyms: for finding one's way in the kernel's memory.
const Json kMaskedPaths = Json::array({"/proc/acpi",
                                       "/proc/asound",
                                       "/proc/buddyinfo",
                                       "/proc/diskstats",
                                       "/proc/fs",
                                       "/proc/interrupts",
                                       "/proc/kallsyms",
                                       "/proc/kcore",
                                       "/proc/keys",
                                       "/proc/kmsg",
                                       "/proc/latency_stats",
                                       "/proc/sched_debug",
                                       "/proc/scsi",
                                       "/proc/softirqs",
                                       "/proc/swaps",
                                       "/proc/timer_list",
                                       "/proc/timer_stats",
                                       "/proc/zoneinfo",
                                       "/sys/devices/virtual/block",
                                       "/sys/devices/virtual/powercap",
                                       "/sys/firmware",
                                       "/sys/kernel/boot_params",
                                       "/sys/kernel/btf",
                                       "/sys/kernel/debug",
                                       "/sys/kernel/notes",
                                       "/sys/kernel/tracing",
                                       "/sys/kernel/vmcoreinfo"});

Json mount(const char* target, const char* type, const char* source, Json options) {
  return {{"destination", target}, {"type", type}, {"source", source}, {"options", std::move(options)}};
}

Json kernel_mounts(const Bundle& bundle) {
  // One that is read only as a whole keeps a container in the guest from having any other.
  const Json kernel_view =
      bundle.makes_containers ? Json{"nosuid", "noexec", "nodev"} : Json{"nosuid", "noexec", "nodev", "ro"};
  const Json groups = bundle.makes_containers ? Json{"nosuid", "noexec", "nodev", "relatime"}
                                              : Json{"nosuid", "noexec", "nodev", "relatime", "ro"};
  Json list = Json::array();
  list.push_back(mount("/proc", "proc", "proc", {"nosuid", "noexec", "nodev"}));
  list.push_back(mount("/dev", "tmpfs", "tmpfs", {"nosuid", "strictatime", "mode=755", "size=65536k"}));
  list.push_back(mount("/dev/pts", "devpts", "devpts",
                       {"nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620", "gid=5"}));
  list.push_back(mount("/dev/shm", "tmpfs", "shm", {"nosuid", "noexec", "nodev", "mode=1777"}));
  list.push_back(mount("/dev/mqueue", "mqueue", "mqueue", {"nosuid", "noexec", "nodev"}));
  list.push_back(mount("/sys", "sysfs", "sysfs", kernel_view));
  if (bundle.mount_cgroup) list.push_back(mount("/sys/fs/cgroup", "cgroup", "cgroup", groups));
  Json tmp = {"nosuid", "nodev", "mode=1777"};
  if (bundle.limits.tmp > 0) tmp.push_back("size=" + std::to_string(bundle.limits.tmp));
  list.push_back(mount("/tmp", "tmpfs", "tmpfs", std::move(tmp)));
  list.push_back(mount("/run", "tmpfs", "tmpfs", {"nosuid", "nodev", "mode=755"}));
  return list;
}

// "ro" is not asked for: staging has made the mount so already, and the runtime may not remount it.
Json bound(const std::string& source, const std::string& target) {
  return {
      {"destination", target}, {"type", "bind"}, {"source", source}, {"options", Json::array({"rbind", "rprivate"})}};
}

Json mounts_of(const Bundle& bundle) {
  Json list = kernel_mounts(bundle);
  list.push_back(bound(bundle.init_program, kInitInGuest));
  for (const auto& wanted : bundle.binds) list.push_back(bound(wanted.source, wanted.target));
  return list;
}

Json mapping(const std::vector<idmap::Range>& ranges) {
  Json list = Json::array();
  for (const auto& range : ranges)
    list.push_back({{"containerID", range.inside}, {"hostID", range.outside}, {"size", range.count}});
  return list;
}

Json namespaces() {
  Json list = Json::array();
  for (const char* type : {"pid", "network", "ipc", "uts", "mount", "user", "cgroup"}) list.push_back({{"type", type}});
  return list;
}

Json resources(const wire::Limits& limits) {
  constexpr std::int64_t kPeriod = 100'000;
  // Devices: nothing but what the runtime always allows (null, zero, full, random, urandom, tty, ptmx, pts).
  Json json = {{"devices", Json::array({{{"allow", false}, {"access", "rwm"}}})}};
  // Swap is counted in, so that a memory limit is one.
  if (limits.memory > 0) json["memory"] = {{"limit", limits.memory}, {"swap", limits.memory}};
  if (limits.cpus > 0)
    json["cpu"] = {{"quota", static_cast<std::int64_t>(limits.cpus * static_cast<double>(kPeriod))},
                   {"period", kPeriod}};
  if (limits.pids > 0) json["pids"] = {{"limit", limits.pids}};
  return json;
}

Json capabilities_of(const Bundle& bundle) {
  Json all = kCapabilities;
  if (bundle.makes_containers)
    all.insert(all.end(), kContainerMakersCapabilities.begin(), kContainerMakersCapabilities.end());
  return {{"bounding", all}, {"effective", all}, {"permitted", all}};
}

Json process(const Bundle& bundle) {
  return {{"terminal", false},
          {"user", {{"uid", 0}, {"gid", 0}}},
          {"args", init_command(bundle.id)},
          {"env", Json::array({"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"})},
          {"cwd", "/"},
          {"capabilities", capabilities_of(bundle)},
          {"rlimits",
           Json::array(
               {{{"type", "RLIMIT_NOFILE"}, {"soft", bundle.descriptors.soft}, {"hard", bundle.descriptors.hard}}})},
          // SECURITY: sudo must work in the guest, so set-user-id programs may raise to the guest's root. That root is
          // an unprivileged id on the host, and the bounding set holds for it too.
          {"noNewPrivileges", false}};
}

// SECURITY: with containers in the guest /proc/sys can be written to. The kernel's own rights are what protects it
// then: all in it belongs to the host's root, but for the settings of the guest's own network.
Json read_only_paths(const Bundle& bundle) {
  return Json::array({"/proc/bus", "/proc/irq", bundle.makes_containers ? "/sys" : "/proc/sys", "/proc/sysrq-trigger"});
}

}  // namespace

std::vector<std::string> init_command(const std::string& id) {
  return {kInitInGuest, "--channel-fd", "3", "--machine", id};
}

Json config_of(const Bundle& bundle) {
  Json linux_section = {
      {"namespaces", namespaces()},
      {"uidMappings", mapping(bundle.ids.uids)},
      {"gidMappings", mapping(bundle.ids.gids)},
      // Networks that are made in the guest are to hear that nothing leads out of it (guest/network/routes.cc).
      {"sysctl", {{"net.ipv4.conf.default.forwarding", "1"}, {"net.ipv4.icmp_ratelimit", "0"}}},
      {"resources", bundle.cgroup_path.empty() ? Json::object() : resources(bundle.limits)},
      {"seccomp", seccomp_profile(bundle.architecture)},
      {"maskedPaths", kMaskedPaths},
      {"readonlyPaths", read_only_paths(bundle)}};
  if (!bundle.cgroup_path.empty()) linux_section["cgroupsPath"] = bundle.cgroup_path;
  return {{"ociVersion", "1.0.2"},
          {"process", process(bundle)},
          {"root", {{"path", bundle.root}, {"readonly", false}}},
          {"hostname", bundle.hostname},
          {"mounts", mounts_of(bundle)},
          {"linux", std::move(linux_section)}};
}

}  // namespace sbx::backends::oci
