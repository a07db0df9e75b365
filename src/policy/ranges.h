// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "policy/cidr.h"
#include "policy/mark.h"

namespace sbx::policy {

// Ranges with a mark each, and the narrowest that holds an address, found in as many searches as there are different
// lengths. Of two equal ranges the blocked one counts.
class Ranges {
 public:
  struct Marked {
    Cidr range;
    Mark mark;
  };

  void add(const Cidr& range, Mark mark);
  const Marked* narrowest(const Address& address) const;  // null: in none of them; valid until the next add()

 private:
  std::vector<Marked> entries_;    // sorted by range
  std::vector<unsigned> lengths_;  // longest first
};

}  // namespace sbx::policy
