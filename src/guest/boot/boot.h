// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/fd.h"
#include "base/result.h"
#include "base/timings.h"

namespace sbx::guest {

// A virtual machine's way from the kernel's first process to a channel. Nothing here is about one sandbox: a machine
// that is frozen when this is done can be thawed as any sandbox of its template.
//
//   /modules/NN-*.ko    loaded in the order of their names, then forgotten
//   /lower              the template (EROFS, the disk named kTemplateDisk)
//   the port named kChannelPort
struct Booted {
  Fd channel;
  Timings timings;
};
Result<Booted> boot();

// How the devices are told apart: by the serial number of a disk and the name of a port.
inline constexpr const char* kChannelPort = "sandbox.channel";
inline constexpr const char* kTemplateDisk = "template";
inline constexpr const char* kWritableDisk = "disk";

// The device file of the disk with this serial number.
Result<std::string> find_disk(const std::string& serial);

}  // namespace sbx::guest
