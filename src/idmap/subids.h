// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "idmap/idmap.h"

namespace sbx::idmap {

struct SubRange {
  std::uint32_t first;
  std::uint32_t count;
  bool operator==(const SubRange&) const = default;
};

// The ranges that `file` (/etc/subuid or /etc/subgid) gives to this user, by name or by number.
Result<std::vector<SubRange>> subordinate_ids(const std::string& file, uid_t uid);
std::vector<SubRange> parse_subordinate_ids(std::string_view content, std::string_view name, uid_t uid);

// A guest's 65536 ids: 1000 is `caller`, all others are taken from `ranges` in order.
Result<std::vector<Range>> map_around_agent(const std::vector<SubRange>& ranges, std::uint32_t caller);

}  // namespace sbx::idmap
