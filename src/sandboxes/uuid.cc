// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/uuid.h"

#include <sys/random.h>

#include <array>
#include <cstdlib>

#include "base/format.h"

namespace sbx::sandboxes {

std::string new_uuid() {
  std::array<unsigned char, 16> bytes{};
  // Up to 256 bytes come whole once the kernel has its entropy; before that it blocks.
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3f) | 0x80);
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += sbx::format("{:02x}", bytes[i]);
  }
  return text;
}

}  // namespace sbx::sandboxes
