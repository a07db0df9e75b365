// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/members.h"
#include "netlog/record.h"

namespace sbx::netlog {

// Decisions that should be in the log and are not: how many, and the times between which they were made.
struct Losses {
  static constexpr std::int64_t kMost = std::int64_t{1} << 53;  // what JSON can say; it counts no further

  std::int64_t count = 0;
  std::int64_t first_us = 0;  // wall clock; 0 if there are none
  std::int64_t last_us = 0;

  void add(const Losses& more);
  void add(const Record& record);  // the end of one is no decision, and not counted
  void add(std::span<const Record> records);

  explicit operator bool() const { return count > 0; }
  bool operator==(const Losses&) const = default;
};

void describe(Members& members, Losses& losses);

}  // namespace sbx::netlog
