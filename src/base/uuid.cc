// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/uuid.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/format.h"

namespace sbx {
namespace {

constexpr std::string_view kForm = "xxxxxxxx-xxxx-4xxx-vxxx-xxxxxxxxxxxx";

bool fits(char c, char form) {
  if (form == 'x') return std::string_view("0123456789abcdef").find(c) != std::string_view::npos;
  if (form == 'v') return std::string_view("89ab").find(c) != std::string_view::npos;
  return c == form;
}

}  // namespace

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

bool is_uuid(std::string_view text) { return std::ranges::equal(text, kForm, fits); }

}  // namespace sbx
