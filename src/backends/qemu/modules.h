// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/qemu/kernel.h"
#include "backends/qemu/kernel_symbols.h"
#include "base/result.h"

namespace sbx::backends::qemu {

// What sandbox-init needs of a kernel, in the order in which it is needed. Any of them may be built in.
inline constexpr std::array<std::string_view, 8> kWantedModules{
    "virtio_mmio", "virtio_blk", "virtio_console", "virtio_balloon", "virtiofs", "erofs", "ext4", "overlay",
};

// What it needs for the network (src/guest/redirect.h), which is not waited for as long as the others.
inline constexpr std::array<std::string_view, 4> kNetworkModules{
    "nf_tables",
    "nft_chain_nat",
    "nft_redir",
    "nft_fib_inet",
};

// The files to load, each after all that it depends on (modules/tree.h), relative to the kernel's directory of modules.
// The error names every wanted module that the kernel does not have.
Result<std::vector<std::string>> modules_in_order(const Kernel& kernel, std::span<const std::string_view> wanted);

// What modules are prepared for, besides the kernel.
struct ModuleTarget {
  KernelSymbols symbols;  // those of the kernel, where it is known where they will be
  bool emulated = false;
};

// A module's file as the guest is to load it: decompressed, without its signature and without what only a debugger
// wants (module_file.h), linked to what the kernel exports (prelink.h), and without what an emulated processor has no
// need of (return_sites.h). All is kept as it is where the kernel insists on the signature, or does not say (in its
// config-<release>) that it does not.
//
// SECURITY: it protects nothing here. Whoever could change the module in our cache could change the kernel beside it.
Result<std::string> loadable_module(const Kernel& kernel, const ModuleTarget& target, const std::string& path);

}  // namespace sbx::backends::qemu
