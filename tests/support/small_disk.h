// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/statvfs.h>

#include <string>

#include "base/file.h"

namespace sbx::testing {

// A file system of that many bytes over a directory, while it lives, in a mount namespace of the test's own. Only root
// can have one.
class SmallDisk {
 public:
  SmallDisk(std::string directory, std::size_t bytes) : directory_(std::move(directory)) {
    const std::string options = "size=" + std::to_string(bytes);
    mounted_ = has_own_namespace() && ::mount("tmpfs", directory_.c_str(), "tmpfs", 0, options.c_str()) == 0;
  }
  ~SmallDisk() {
    if (mounted_ && ::umount2(directory_.c_str(), MNT_DETACH) != 0) ADD_FAILURE() << "cannot unmount " << directory_;
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool mounted() const { return mounted_; }

  // Takes all the room that is left, in a file of that name, until give_back().
  void fill(const std::string& name = "filler") const {
    EXPECT_FALSE(write_file(directory_ + "/" + name, std::string(free() + 1, 'x')));
    EXPECT_EQ(free(), 0u);
  }
  void give_back(const std::string& name = "filler") const { EXPECT_TRUE(remove_file(directory_ + "/" + name)); }

 private:
  static bool has_own_namespace() {
    return ::unshare(CLONE_NEWNS) == 0 && ::mount("", "/", nullptr, MS_PRIVATE | MS_REC, nullptr) == 0;
  }
  std::size_t free() const {
    struct statvfs info {};
    return ::statvfs(directory_.c_str(), &info) == 0 ? info.f_bavail * info.f_frsize : 0;
  }

  std::string directory_;
  bool mounted_ = false;
};

}  // namespace sbx::testing
