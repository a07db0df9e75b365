// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

// The names in a layer (https://specs.opencontainers.org/image-spec/layer/): which file of the layer they mean.
namespace sbx::layers {

// "./usr//bin/" is "usr/bin", "." is "". kInvalid for what would lead out of the layer ("..", an absolute path), and
// for names that no file system takes.
Result<std::string> relative_path(std::string_view name);

// What a name says of the layers below. They may be of a layer that was unpacked on its own.
enum class Whiteout {
  kNone,      // an ordinary file
  kRemoved,   // "a/.wh.b": a/b of the layers below is gone
  kOpaque,    // "a/.wh..wh..opq": of the layers below nothing in a is seen
  kMetadata,  // "a/.wh..wh.plnk": of aufs, means nothing
};

struct EntryPath {
  Whiteout whiteout = Whiteout::kNone;
  std::string path;  // the file itself, what is gone, or the directory that is opaque
};
Result<EntryPath> entry_path(std::string_view name);

std::string parent_of(const std::string& path);  // of "usr": ""

}  // namespace sbx::layers
