// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "policy/mark.h"
#include "policy/pattern.h"

namespace sbx::policy {

// One host rule that matched, and what of the target it named.
struct HostRule {
  Mark mark;
  std::string text;
  bool names_host;
  bool names_port;
};

// Host patterns with a mark each, and the most specific that matches, found in one search for each label of the host.
// Of two equal patterns the blocking one counts.
class HostRules {
 public:
  void add(const Pattern& pattern, Mark mark);
  // Null: no pattern matches. Valid until the next add().
  const HostRule* find(const Host& host, std::uint16_t port) const;
  // The rule about that very address, if there is one.
  const HostRule* find(const Address& address, std::uint16_t port) const;

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Ports = std::map<std::uint16_t, HostRule>;  // 0: any port
  using Names = std::unordered_map<std::string, Ports, Hash, std::equal_to<>>;

  Ports& place_of(const Pattern& pattern);
  const HostRule* find_below(std::string_view name, std::uint16_t port) const;
  static const HostRule* find(const Names& names, std::string_view name, std::uint16_t port);
  static const HostRule* find(const Ports& ports, std::uint16_t port);

  Names names_;
  std::map<Address, Ports> addresses_;
  Names below_;  // by the suffix of the wildcard; * is the empty one
};

}  // namespace sbx::policy
