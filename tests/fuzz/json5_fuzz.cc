// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>

#include "base/json.h"
#include "openclaw/dialect.h"
#include "openclaw/json5.h"

// A configuration of anybody's. What is understood is JSON, too, and means the same there; settings that are read from
// it share no directory of the system's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sbx;
  const auto value = openclaw::parse_json5({reinterpret_cast<const char*>(data), size});
  if (!value) {
    if (value.error().what().empty()) std::abort();
    return 0;
  }
  const auto again = openclaw::parse_json5(dump(*value));
  if (!again || *again != *value) std::abort();
  const auto settings = openclaw::read_settings(*value, "main", "/home/u");
  if (!settings) return 0;
  for (const auto& mount : settings->mounts)
    if (mount.source == "/" || mount.source.starts_with("/etc") || mount.source.find("/../") != std::string::npos)
      std::abort();
  if (settings->tools.empty()) std::abort();
  return 0;
}
