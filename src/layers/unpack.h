// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/members.h"
#include "base/result.h"
#include "layers/tar_stream.h"

namespace sbx::layers {

// What a layer may be at most; a layer is made by strangers, and a kilobyte of it can be a terabyte unpacked.
struct UnpackLimits {
  std::int64_t bytes = std::int64_t{64} << 30;  // of all files together, holes included
  std::int64_t entries = 4 << 20;
  std::int64_t archive = std::int64_t{128} << 30;  // of the archive itself: it may go on behind its last file
};

// A layer that was unpacked.
struct Unpacked {
  std::string diff_id;     // "sha256:<64 hex>", of the archive
  std::int64_t bytes = 0;  // of the archive
  std::int64_t entries = 0;
  std::int64_t left_out = 0;  // device nodes, which no guest may use
};
void describe(Members& members, Unpacked& unpacked);

// How overlayfs is told that a directory hides those of the layers below: by a mount of the host's root, or of a
// user's.
inline constexpr const char* kOpaqueOfRoot = "trusted.overlay.opaque";
inline constexpr const char* kOpaqueOfUser = "user.overlay.opaque";

// Unpacks a layer into the working directory, an empty one, in the form that overlayfs reads: what is gone is a device
// 0:0, an opaque directory has the attribute `opaque`. Owners, modes, times, extended attributes (user.*,
// capabilities), hard links and holes are as in the archive. Refused, and the error says why: what leads out of the
// layer, goes through a link of it, is there twice, belongs to an id that no guest has, or goes beyond the limits. What
// has been unpacked so far then stays for the caller to remove. `progress` hears how many bytes of the blob have been
// read.
//
// The root of the process is that directory, too: the caller has it in a jail (layers/jail.h). So a mistake here or in
// libarchive writes to the layer and to nothing else.
using BytesRead = std::function<void(std::int64_t bytes)>;
Result<Unpacked> unpack(TarStream& stream, const char* opaque, const UnpackLimits& limits, const BytesRead& progress);

}  // namespace sbx::layers
