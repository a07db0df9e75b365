// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/kvm.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "base/file.h"
#include "base/text.h"
#include "idmap/idmap.h"

namespace sbx::backends {
namespace {

#if defined(__aarch64__)
constexpr bool kIsArm = true;
#else
constexpr bool kIsArm = false;
#endif

bool has_flag(std::string_view cpuinfo, std::string_view wanted) {
  for (const std::string& line : split(cpuinfo, '\n')) {
    if (!line.starts_with("flags")) continue;
    for (const std::string& flag : split(line, ' '))
      if (flag == wanted) return true;
  }
  return false;
}

std::vector<gid_t> own_groups() {
  const int count = ::getgroups(0, nullptr);
  if (count < 0) return {};
  std::vector<gid_t> groups(static_cast<std::size_t>(count));
  const int filled = ::getgroups(count, groups.data());
  groups.resize(filled < 0 ? 0 : static_cast<std::size_t>(filled));
  return groups;
}

KvmNode node_here() {
  constexpr const char* kNode = "/dev/kvm";
  struct stat info {};
  if (!open_path(kNode, O_RDWR) || ::stat(kNode, &info) != 0) return KvmNode::kUnusable;
  const auto groups = idmap::privileged() ? qemu_groups(info.st_gid) : own_groups();
  return opens_for(info.st_mode, info.st_gid, groups) ? KvmNode::kForQemu : KvmNode::kForCallerOnly;
}

}  // namespace

std::vector<gid_t> qemu_groups(gid_t node_group) {
  if (node_group == 0) return {};
  return {node_group};
}

bool opens_for(mode_t mode, gid_t node_group, const std::vector<gid_t>& groups) {
  constexpr mode_t kGroup = S_IRGRP | S_IWGRP;
  constexpr mode_t kOthers = S_IROTH | S_IWOTH;
  const bool member = std::find(groups.begin(), groups.end(), node_group) != groups.end();
  const mode_t wanted = member ? kGroup : kOthers;
  return (mode & wanted) == wanted;
}

Check kvm_check(std::string_view cpuinfo, bool is_arm, KvmNode node) {
  const std::string_view flag = has_flag(cpuinfo, "vmx") ? "vmx" : has_flag(cpuinfo, "svm") ? "svm" : "";
  if (flag.empty() && !is_arm)
    return {"KVM", CheckStatus::kWarn, "the processor offers no virtualization here (neither vmx nor svm)",
            "enable it in the firmware or in the hypervisor above; until then microVMs are emulated"};
  if (node == KvmNode::kUnusable)
    return {"KVM", CheckStatus::kWarn, "/dev/kvm cannot be opened", "sudo modprobe kvm; sudo usermod -aG kvm $USER"};
  if (node == KvmNode::kForCallerOnly)
    return {"KVM", CheckStatus::kWarn, "/dev/kvm opens for you, but not for QEMU, which runs as another user",
            "sudo chgrp kvm /dev/kvm && sudo chmod 660 /dev/kvm; not as root, also: sudo usermod -aG kvm $USER"};
  return {"KVM", CheckStatus::kPass, flag.empty() ? "/dev/kvm opens" : std::string(flag) + ", /dev/kvm opens", ""};
}

Check kvm_check() { return kvm_check(read_file("/proc/cpuinfo").value_or(""), kIsArm, node_here()); }

bool hardware_kvm() { return kvm_check().status == CheckStatus::kPass; }

}  // namespace sbx::backends
