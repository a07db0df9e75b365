// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace sbx::guest {

// A virtual machine's root: the template, mounted on /lower by boot(), below; the sandbox's own disk (ext4) above.
class Root {
 public:
  // Mounts the disk, makes the overlay and moves into it, with /proc, /sys and /dev. What the initramfs held is gone.
  static Result<Root> enter();

  // A directory of the disk, beside the root and not below its overlay, at this path.
  Result<> mount_directory(const std::string& name, const std::string& target) const;

  // Writes everything out and leaves the disk as one that was unmounted: its journal is empty. A process that writes to
  // it afterwards waits for ever, so nothing but the end may follow.
  void freeze();

  // What the guest has changed in the template, in the form of overlayfs; it has no path.
  const Fd& changes() const { return upper_; }

 private:
  Root(Fd disk, Fd upper) : disk_(std::move(disk)), upper_(std::move(upper)) {}
  Fd disk_;  // the file system above, which has no path any more
  Fd upper_;
};

}  // namespace sbx::guest
