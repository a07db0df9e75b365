// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

#include <sys/random.h>

#include <cstdlib>
#include <vector>

#include "base/format.h"

namespace sbx {

std::string random_hex(std::size_t size) {
  std::vector<unsigned char> bytes(size);
  // Up to 256 bytes come whole once the kernel has its entropy; before that it blocks.
  if (::getrandom(bytes.data(), size, 0) != static_cast<ssize_t>(size)) std::abort();
  std::string text;
  for (const unsigned char byte : bytes) text += sbx::format("{:02x}", byte);
  return text;
}

}  // namespace sbx
