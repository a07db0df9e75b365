// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace sbx::backends::qemu {

struct KernelSymbol {
  std::uint64_t address = 0;  // of a variable of each processor: where it is in that processor's area
  std::uint32_t checksum = 0;
};

// What a kernel exports to its modules, by name.
using KernelSymbols = std::map<std::string, KernelSymbol, std::less<>>;

// Those of an uncompressed kernel, which runs where it was linked to (bzimage.h). Nothing is known of any other file:
// of a bzImage, which moves the kernel in it; of a kernel that was built to be moved; of one whose modules carry no
// checksums. Symbols of a namespace are left out: a module has to say that it wants them, and the kernel looks whether
// it did.
KernelSymbols exported_symbols(std::string_view kernel);

}  // namespace sbx::backends::qemu
