// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/virtualization.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/child.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"

namespace sbx::cli {
namespace {

using backends::Check;

#if defined(__aarch64__)
constexpr bool kIsArm = true;
constexpr std::string_view kQemu = "qemu-system-aarch64";
constexpr std::string_view kQemuPackage = "qemu-system-arm";
#else
constexpr bool kIsArm = false;
constexpr std::string_view kQemu = "qemu-system-x86_64";
constexpr std::string_view kQemuPackage = "qemu-system-x86";
#endif

// In Debian 12 a part of QEMU, since then a package of its own.
constexpr const char* kVirtiofsd[] = {"/usr/libexec/virtiofsd", "/usr/lib/qemu/virtiofsd", "/usr/lib/virtiofsd"};

bool has_flag(std::string_view cpuinfo, std::string_view wanted) {
  for (const std::string& line : split(cpuinfo, '\n')) {
    if (!line.starts_with("flags")) continue;
    for (const std::string& flag : split(line, ' '))
      if (flag == wanted) return true;
  }
  return false;
}

Check qemu() {
  if (const auto program = find_program(std::string(kQemu))) return {"QEMU", "pass", *program, ""};
  return {"QEMU", "skip", std::string(kQemu) + " is not installed",
          "sudo apt-get install " + std::string(kQemuPackage)};
}

Check virtiofsd() {
  for (const char* path : kVirtiofsd)
    if (::access(path, X_OK) == 0) return {"virtiofsd", "pass", path, ""};
  return {"virtiofsd", "skip", "virtiofsd is not installed", "sudo apt-get install virtiofsd"};
}

}  // namespace

Check kvm_check(std::string_view cpuinfo, bool is_arm, bool node_opens) {
  const std::string_view flag = has_flag(cpuinfo, "vmx") ? "vmx" : has_flag(cpuinfo, "svm") ? "svm" : "";
  if (flag.empty() && !is_arm)
    return {"KVM", "warn", "the processor offers no virtualization here (neither vmx nor svm)",
            "enable it in the firmware or in the hypervisor above; until then sandboxes are containers"};
  if (!node_opens) return {"KVM", "warn", "/dev/kvm cannot be opened", "sudo modprobe kvm; sudo usermod -aG kvm $USER"};
  return {"KVM", "pass", flag.empty() ? "/dev/kvm opens" : std::string(flag) + ", /dev/kvm opens", ""};
}

std::vector<Check> virtualization_checks() {
  const std::string cpuinfo = read_file("/proc/cpuinfo").value_or("");
  const bool node_opens = open_path("/dev/kvm", O_RDWR).has_value();
  return {kvm_check(cpuinfo, kIsArm, node_opens), qemu(), virtiofsd()};
}

}  // namespace sbx::cli
