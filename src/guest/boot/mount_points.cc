// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/mount_points.h"

#include <algorithm>
#include <array>

#include "base/file.h"
#include "base/text.h"

namespace sbx::guest {
namespace {

bool is_octal(std::string_view text) {
  return text.size() == 3 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '7'; });
}

// A space, a tab, a newline and a backslash are \ooo there.
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view digits = text.substr(std::min(i + 1, text.size()), 3);
    if (text[i] != '\\' || !is_octal(digits)) {
      out += text[i];
      continue;
    }
    out += static_cast<char>((digits[0] - '0') * 64 + (digits[1] - '0') * 8 + (digits[2] - '0'));
    i += 3;
  }
  return out;
}

}  // namespace

std::vector<std::string> mount_points(std::string_view mountinfo) {
  std::vector<std::string> points;
  while (!mountinfo.empty()) {
    std::string_view line = cut_off(mountinfo, '\n');
    std::array<std::string_view, 5> fields;  // id, parent, device, root, mount point
    for (auto& field : fields) field = cut_off(line, ' ');
    if (fields[4].starts_with('/')) points.push_back(unescaped(fields[4]));
  }
  return points;
}

std::vector<std::string> directories_above_mounts(const std::string& top, std::string_view mountinfo) {
  std::vector<std::string> directories;
  for (const std::string& point : mount_points(mountinfo)) {
    if (!point.starts_with(top + "/")) continue;
    for (auto slash = point.find('/', top.size() + 1); slash != std::string::npos; slash = point.find('/', slash + 1))
      if (auto directory = point.substr(0, slash); std::ranges::find(directories, directory) == directories.end())
        directories.push_back(std::move(directory));
  }
  return directories;
}

std::vector<std::string> directories_above_mounts(const std::string& top) {
  return directories_above_mounts(top, read_file("/proc/self/mountinfo").value_or(""));
}

}  // namespace sbx::guest
