// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "archive/changes.h"
#include "base/members.h"

namespace sbx::layers {

// Ids guest ... guest + count - 1 are host ... host + count - 1 on the disk.
struct OwnerRange {
  std::uint32_t guest = 0;
  std::uint32_t host = 0;
  std::uint32_t count = 0;
};
void describe(Members& members, OwnerRange& range);

// What sandbox-layer is told to pack (archive/changes.h): a sandbox's changes, or a layer of the store.
struct PackJob {
  std::string directory;                       // in the form of overlayfs; if it is not there, there are no changes
  bool as_it_is = false;                       // leaves out nothing
  std::vector<std::string> mount_points = {};  // of the sandbox's
  std::vector<OwnerRange> uids = {};           // none: files belong to the guest's ids as they are
  std::vector<OwnerRange> gids = {};
};
void describe(Members& members, PackJob& job);

archive::ChangesOptions options_of(const PackJob& job);

}  // namespace sbx::layers
