// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "gate/helper_process.h"

// The cache of blobs of a sandbox with a Docker daemon (docs/life-of-a-connection.md): a process of its own, which has
// the directory of blobs and nothing else.
namespace sbx::blobs {

struct Options {
  std::string directory;    // made if it is not there
  std::uint64_t limit = 0;  // bytes in it, of all sandboxes together
  std::uint32_t id = 0;     // as root: its user and group id, and the owner of the directory; 0: it stays who it is
};

// Forks it from the calling process, which must have one thread and must not have read a key, and waits until it serves
// (message.h).
Result<gate::HelperProcess> start(const Options& options);

}  // namespace sbx::blobs
