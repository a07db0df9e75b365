// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/machine/programs.h"

#include <unistd.h>

#include <array>

#include "base/child.h"

namespace sbx::backends::qemu {
namespace {

// Not qemu-system-x86_64-microvm, which Debian builds without the system call filter that -sandbox needs.
constexpr const char* kQemu = "qemu-system-x86_64";

// Where the distributions put it. QEMU's own was the C one, and lies among QEMU's programs.
constexpr std::array kVirtiofsd{
    std::pair{"/usr/libexec/virtiofsd", Flavour::kRust},
    std::pair{"/usr/lib/virtiofsd", Flavour::kRust},
    std::pair{"/usr/lib/qemu/virtiofsd", Flavour::kC},
    std::pair{"/usr/libexec/qemu/virtiofsd", Flavour::kC},
};

}  // namespace

Result<std::string> find_qemu() {
  if (auto path = find_program(kQemu)) return std::move(*path);
  return fail(Code::kUnavailable, "QEMU is not installed", "sudo apt-get install qemu-system-x86");
}

Result<Virtiofsd> find_virtiofsd() {
  for (const auto& [path, flavour] : kVirtiofsd)
    if (::access(path, X_OK) == 0) return Virtiofsd{path, flavour};
  return fail(Code::kUnavailable, "virtiofsd is not installed",
              "sudo apt-get install virtiofsd (in Debian 12: qemu-system-common)");
}

bool has_option(const Virtiofsd& virtiofsd, std::string_view option) {
  const auto help = run({.argv = {virtiofsd.path, "--help"}});
  return help && help->out.find(option) != std::string::npos;
}

}  // namespace sbx::backends::qemu
