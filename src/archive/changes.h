// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "archive/left_out.h"
#include "archive/stream.h"
#include "base/fd.h"
#include "base/result.h"

namespace sbx::archive {

// Who an owner on the disk is in the guest; nothing: no one of the guest's.
using IdOf = std::function<std::optional<std::uint32_t>(std::uint32_t id)>;

struct ChangesOptions {
  LeftOut left_out = LeftOut::nothing();
  IdOf uid = [](std::uint32_t id) { return std::optional(id); };
  IdOf gid = [](std::uint32_t id) { return std::optional(id); };
};

// Writes a directory in the form of overlayfs (its upper directory, or a layer that was unpacked) as a layer of an
// image: https://specs.opencontainers.org/image-spec/layer/. What is gone, a device 0:0, is ".wh.NAME" there, an opaque
// directory has ".wh..wh..opq". With owners, modes, times, hard links, capabilities and attributes of users. The same
// directory gives the same bytes, and so does the directory that they are unpacked to.
//
// Left out: what `left_out` says, and a directory in which nothing else is; sockets and devices, which no guest may
// use; names that would mean something else in a layer (".wh.NAME").
//
// The directory is a hostile guest's, who may be changing it: nothing in it is followed, and what changes while it is
// read is an error. Returns how many entries were written.
Result<std::int64_t> pack_changes(const Fd& directory, const Sink& sink, const ChangesOptions& options = {});

}  // namespace sbx::archive
