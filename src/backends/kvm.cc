// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/kvm.h"

#include <fcntl.h>

#include "base/file.h"
#include "base/text.h"

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

}  // namespace

Check kvm_check(std::string_view cpuinfo, bool is_arm, bool node_opens) {
  const std::string_view flag = has_flag(cpuinfo, "vmx") ? "vmx" : has_flag(cpuinfo, "svm") ? "svm" : "";
  if (flag.empty() && !is_arm)
    return {"KVM", "warn", "the processor offers no virtualization here (neither vmx nor svm)",
            "enable it in the firmware or in the hypervisor above; until then microVMs are emulated"};
  if (!node_opens) return {"KVM", "warn", "/dev/kvm cannot be opened", "sudo modprobe kvm; sudo usermod -aG kvm $USER"};
  return {"KVM", "pass", flag.empty() ? "/dev/kvm opens" : std::string(flag) + ", /dev/kvm opens", ""};
}

Check kvm_check() {
  return kvm_check(read_file("/proc/cpuinfo").value_or(""), kIsArm, open_path("/dev/kvm", O_RDWR).has_value());
}

bool hardware_kvm() { return kvm_check().status == "pass"; }

}  // namespace sbx::backends
