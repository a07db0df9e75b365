// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "guest/network/addresses.h"

namespace sbx::guest {

// Which name was given which address. A name keeps its address for as long as it is remembered; the one that was asked
// for the longest time ago is forgotten for a new one, and its address is the last to be given again.
class NameTable {
 public:
  static constexpr std::size_t kMost = 65'536;

  // kMost, but for tests.
  explicit NameTable(std::size_t most = kMost) : most_(most) {}

  // The name must be in small letters, without a dot at its end.
  Ipv4 address_of(std::string_view name);
  std::optional<std::string> name_of(Ipv4 address);
  std::size_t size() const { return entries_.size(); }

 private:
  struct Given {
    std::string name;
    Ipv4 address;
  };
  using Entries = std::list<Given>;  // the last used first

  void touch(Entries::iterator entry) { entries_.splice(entries_.begin(), entries_, entry); }
  void forget_oldest();
  Ipv4 free_address();

  const std::size_t most_;
  Entries entries_;
  std::unordered_map<std::string_view, Entries::iterator> by_name_;
  std::unordered_map<Ipv4, Entries::iterator> by_address_;
  Ipv4 next_ = kFirstName;
};

}  // namespace sbx::guest
