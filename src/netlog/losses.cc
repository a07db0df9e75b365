// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "netlog/losses.h"

#include <algorithm>

namespace sbx::netlog {

void Losses::add(const Losses& more) {
  if (more.count <= 0) return;
  first_us = count == 0 ? more.first_us : std::min(first_us, more.first_us);
  last_us = count == 0 ? more.last_us : std::max(last_us, more.last_us);
  count = std::min(kMost, count + std::min(kMost, more.count));
}

void Losses::add(const Record& record) {
  if (!record.is_end()) add({1, record.time_us, record.time_us});
}

void Losses::add(std::span<const Record> records) {
  for (const Record& record : records) add(record);
}

void describe(Members& members, Losses& losses) {
  members.optional("count", losses.count);
  members.optional("first_us", losses.first_us);
  members.optional("last_us", losses.last_us);
  members.check(losses.count >= 0 && losses.count <= Losses::kMost, "\"count\" makes no sense");
}

}  // namespace sbx::netlog
