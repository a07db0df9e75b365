// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "archive/stream.h"
#include "base/fd.h"
#include "base/result.h"

namespace sbx::archive {

struct UnpackOptions {
  std::string rename;  // the first component of every name becomes this; empty: it stays
  std::function<void(std::string_view)> warn = [](std::string_view) {};
  // What has its name already is left as it is, and so is all that would lie on another mount than the destination.
  bool keeps_what_is_there = false;
};

// Makes the entries of a tar archive under `directory` and nowhere else, whatever the archive says. The archive may
// come from a hostile guest, and a hostile process may change the destination at the same time:
//  - absolute names and ".." are refused, and so is every name that would pass through a symbolic link, whether it was
//    there before or was made by this archive;
//  - whatever is not a directory is removed and made anew, never opened, so that nothing is written through a link;
//  - hard links lead to files under the same directory only; devices and pipes are left out with a warning;
//  - set-user-id and set-group-id bits are dropped, and files belong to the calling process's user.
// Symbolic links themselves are made as they are: they may point anywhere, and following them is up to the reader.
// The first error ends it; what was made until then stays.
Result<> unpack(const Source& source, const Fd& directory, const UnpackOptions& options = {});

}  // namespace sbx::archive
