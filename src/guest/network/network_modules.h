// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <thread>

#include "base/fd.h"
#include "base/result.h"

namespace sbx::guest {

// Loads the modules of the kernel's that the network needs, in a thread, because it is a sixth of a machine's boot and
// they are not needed before the rest is done. Begins at once; ends at the latest with its own end.
class NetworkModules {
 public:
  NetworkModules();
  ~NetworkModules();
  NetworkModules(const NetworkModules&) = delete;
  NetworkModules& operator=(const NetworkModules&) = delete;

  // Waits until they are loaded.
  Result<> wait();
  // How long the thread has taken, if it is done.
  std::int64_t duration_us() const { return duration_us_; }

 private:
  Fd directory_;  // in the initramfs, which is out of sight once the root has changed
  Result<> result_ = Ok{};
  std::int64_t duration_us_ = 0;
  std::thread thread_;
};

}  // namespace sbx::guest
