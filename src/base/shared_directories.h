// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <utility>

#include "base/fd.h"
#include "base/result.h"

namespace sbx {

// The directories of the host that sandboxes can write to. A guest may put a symbolic link in the place of anything
// below them, at any time, for one of our own programs to follow on the host.
class SharedDirectories {
 public:
  // What is no directory, is gone, or leads through a link by now, is left out: its sandbox does not start with it.
  void add(const std::string& path, const std::string& sandbox);

  // The sandbox that can write to this very directory; empty: none can.
  std::string sandbox_of(dev_t device, ino_t inode) const;
  // The same for the directory or any that it is in. An error if that cannot be found out.
  Result<std::string> sandbox_around(const Fd& directory) const;

 private:
  std::map<std::pair<dev_t, ino_t>, std::string> sandboxes_;
};

}  // namespace sbx
