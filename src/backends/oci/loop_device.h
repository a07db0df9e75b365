// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace sbx::backends::oci {

// Whether this process may have one. The error says why not.
Result<> loop_devices_work();

// A free device that shows `image`, which is open for reading and writing. It is free again when its last user is gone:
// `device` here, and a file system that is mounted from it. It keeps `image`'s open file description, and so a flock on
// it, until then.
struct LoopDevice {
  std::string path;
  Fd device;
};
Result<LoopDevice> attach_loop_device(const Fd& image);

}  // namespace sbx::backends::oci
