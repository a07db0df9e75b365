// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

// What is in a kernel image of x86: Linux's Documentation/arch/x86/boot.rst has the layout.
namespace sbx::backends::qemu {

// As many of an image's first bytes as release_of may look at.
inline constexpr std::size_t kImageHead = 0x10400;

// That much of a file, or all of it. An image may be many times as long as what is wanted of it.
Result<std::string> image_head(const std::string& path);

// The release that a bzImage says it is, "6.1.0-54-cloud-amd64"; nothing for any other file.
std::optional<std::string> release_of(std::string_view head);

// Whether it is a 64-bit ELF file with the entry that a machine without firmware starts it at (a PVH note).
bool has_pvh_entry(std::string_view image);

// The ELF image in a bzImage (or the image itself, if it is one): a machine that starts it need not decompress it
// first, which saves some 0.4 s under emulation. An error when there is none that can be started, or the program that
// decompresses it is missing: the bzImage boots too.
//
// SECURITY: the guest's kernel is then where it was linked to, because it is the decompressor that would move it
// (KASLR). What a guest's processes may do to their own kernel is the guest's affair; the border is the machine.
Result<std::string> uncompressed_kernel(std::string_view image);

}  // namespace sbx::backends::qemu
