// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <sys/mount.h>

#include <string>

namespace sbx::testing {

// A file system of that many bytes over a directory, while it lives. Only root can have one.
class SmallDisk {
 public:
  SmallDisk(std::string directory, std::size_t bytes) : directory_(std::move(directory)) {
    const std::string options = "size=" + std::to_string(bytes);
    mounted_ = ::mount("tmpfs", directory_.c_str(), "tmpfs", 0, options.c_str()) == 0;
  }
  ~SmallDisk() {
    if (mounted_ && ::umount2(directory_.c_str(), MNT_DETACH) != 0) ADD_FAILURE() << "cannot unmount " << directory_;
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool mounted() const { return mounted_; }

 private:
  std::string directory_;
  bool mounted_ = false;
};

}  // namespace sbx::testing
