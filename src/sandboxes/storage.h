// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "sandboxes/parts.h"
#include "sandboxes/registry.h"
#include "wire/system.h"

namespace sbx::sandboxes {

// What the home takes on the disk.
class Storage {
 public:
  Storage(const Parts& parts, const Registry& registry) : parts_(parts), registry_(registry) {}

  // Of all sandboxes or, given a name, of that one alone: `du` counts, also what belongs to guest ids.
  Result<wire::DiskUsage> usage(const std::string& only = "") const;
  // Removes the blobs of registries that are kept for all sandboxes: how many bytes are free then.
  Result<std::int64_t> remove_blobs() const;
  // Removes every template and what backends keep for all machines. kConflict while a sandbox is there. A directory
  // of templates that is a link to one elsewhere is unlinked and not emptied: others may use it.
  Result<> remove_shared() const;

 private:
  const Parts& parts_;
  const Registry& registry_;
};

}  // namespace sbx::sandboxes
