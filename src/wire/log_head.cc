// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/log_head.h"

#include "base/text.h"

namespace sbx::wire {
namespace {

constexpr std::string_view kBefore = "[sandbox: ";
constexpr std::string_view kBehind = " bytes of earlier output were dropped]\n";
constexpr std::size_t kMostDigits = 18;

}  // namespace

LogHead LogHead::after(std::int64_t dropped) {
  LogHead head{dropped, 0};
  head.size = static_cast<std::int64_t>(head.line().size());
  return head;
}

LogHead LogHead::of(std::string_view beginning) {
  const std::size_t end = beginning.substr(0, kLongest).find('\n');
  if (end == beginning.npos) return {};
  std::string_view line = beginning.substr(0, end + 1);
  const auto size = static_cast<std::int64_t>(line.size());
  if (!line.starts_with(kBefore) || !line.ends_with(kBehind)) return {};
  line.remove_prefix(kBefore.size());
  if (line.size() < kBehind.size()) return {};
  line.remove_suffix(kBehind.size());
  const auto dropped = line.size() <= kMostDigits ? parse_integer(line) : std::nullopt;
  if (!dropped || *dropped < size) return {};
  return {*dropped, size};
}

std::string LogHead::line() const { return std::string(kBefore).append(std::to_string(dropped)).append(kBehind); }

}  // namespace sbx::wire
