// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sbx::idmap {

// Where the host's ids of a root daemon's guests begin: above those of people and services. A step is twice what a
// guest has, so that neighbours do not touch, and the shim, QEMU and the gate of each have ids of their own behind its
// range.
inline constexpr std::uint32_t kFirstBase = 0x70000000;
inline constexpr std::uint32_t kBaseStep = 0x20000;
inline constexpr std::uint32_t kLastBase = 0xfffc0000;

// Of all caches of blobs, which share their files.
inline constexpr std::uint32_t kBlobCache = kFirstBase - 1;

constexpr bool is_base(std::uint32_t base) {
  return base >= kFirstBase && base <= kLastBase && (base - kFirstBase) % kBaseStep == 0;
}

}  // namespace sbx::idmap
