// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "backends/qemu/machine/command_line.h"
#include "base/result.h"

namespace sbx::backends::qemu {

// The programs of the host's that machines are made of. The error names the package.
Result<std::string> find_qemu();

struct Virtiofsd {
  std::string path;
  Flavour flavour = Flavour::kC;
};
Result<Virtiofsd> find_virtiofsd();

// Whether this virtiofsd knows the option: not all of the Rust ones in use have all of them.
bool has_option(const Virtiofsd& virtiofsd, std::string_view option);

}  // namespace sbx::backends::qemu
