// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/qemu/kit/kernel.h"
#include "base/result.h"

namespace sbx::backends::qemu {

// What sandbox-init needs of a kernel, in the order in which it is needed. Any of them may be built in.
inline constexpr std::array<std::string_view, 8> kWantedModules{
    "virtio_mmio", "virtio_blk", "virtio_console", "virtio_balloon", "virtiofs", "erofs", "ext4", "overlay",
};

// What it needs for the network (src/guest/network/redirect.h), which is not waited for as long as the others.
inline constexpr std::array<std::string_view, 4> kNetworkModules{
    "nf_tables",
    "nft_chain_nat",
    "nft_redir",
    "nft_fib_inet",
};

// The files to load, each after all that it depends on (modules/tree.h), relative to the kernel's directory of modules.
// The error names every wanted module that the kernel does not have.
Result<std::vector<std::string>> modules_in_order(const Kernel& kernel, std::span<const std::string_view> wanted);

// A module's file as the guest is to load it: decompressed and without its signature, the check of which is 44 % of all
// instructions until an emulated machine has its modules (./bench probation: without this, create to first exec takes
// 1.06 times as long). The signature stays where the kernel insists on it, or does not say (in its config-<release>)
// that it does not.
//
// SECURITY: it protects nothing here. Who could change the module in our cache could change the kernel beside it.
Result<std::string> loadable_module(const Kernel& kernel, const std::string& path);

}  // namespace sbx::backends::qemu
