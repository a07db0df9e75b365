// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/ranges.h"

#include <algorithm>
#include <functional>

namespace sbx::policy {

void Ranges::add(const Cidr& range, Mark mark) {
  const auto at = std::ranges::lower_bound(entries_, range, {}, &Marked::range);
  if (at != entries_.end() && at->range == range) {
    if (mark == Mark::kBlock) at->mark = mark;
    return;
  }
  entries_.insert(at, Marked{range, mark});
  const auto place = std::ranges::lower_bound(lengths_, range.length(), std::greater());
  if (place == lengths_.end() || *place != range.length()) lengths_.insert(place, range.length());
}

const Ranges::Marked* Ranges::narrowest(const Address& address) const {
  for (const unsigned length : lengths_) {
    const Cidr wanted = Cidr::around(address, length);
    const auto at = std::ranges::lower_bound(entries_, wanted, {}, &Marked::range);
    if (at != entries_.end() && at->range == wanted && wanted.contains(address)) return &*at;
  }
  return nullptr;
}

}  // namespace sbx::policy
