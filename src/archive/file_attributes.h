// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "archive/changes.h"
#include "archive/member.h"
#include "base/fd.h"
#include "base/result.h"

namespace sbx::archive {

// The extended attributes of a file or directory, by what they mean.
struct FileAttributes {
  std::vector<Attribute> kept;  // what a layer has: capabilities, and those of users; sorted
  bool opaque = false;          // overlayfs: of the directories below nothing is seen
  std::string init_mark;        // kInitMark
};

// A capability that counts for another root than the guest's is left out. kUnsupported for what stands for a file of a
// layer below (overlayfs with redirect_dir or metacopy), which a layer cannot say.
Result<FileAttributes> file_attributes(const Fd& fd, const IdOf& uid);

}  // namespace sbx::archive
