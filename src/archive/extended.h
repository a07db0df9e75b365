// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sbx::archive {

inline constexpr std::int64_t kLargestExtension = 1 << 20;

// What a pax extended header (or GNU's long name entries) says over the header that follows it.
struct Extension {
  std::optional<std::string> name;
  std::optional<std::string> link;
  std::optional<std::int64_t> size;
  std::optional<std::int64_t> mtime;
  std::int64_t mtime_ns = 0;
};

// Records "LENGTH KEY=VALUE\n". Keys that we have no use for (owners, attributes) are passed over; sparse files are
// refused, because what follows is not their content.
Result<> read_records(std::string_view text, Extension& into);
std::string record(std::string_view key, std::string_view value);

}  // namespace sbx::archive
