// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/host_rules.h"

namespace sbx::policy {
namespace {

constexpr std::uint16_t kAnyPort = 0;

}  // namespace

HostRules::Ports& HostRules::place_of(const Pattern& pattern) {
  if (!pattern.host()) return below_[pattern.suffix()];
  if (const auto& address = pattern.host()->address()) return addresses_[*address];
  return names_[std::string(pattern.host()->ruled_name())];
}

void HostRules::add(const Pattern& pattern, Mark mark) {
  const HostRule rule{mark, pattern.text(), pattern.is_exact(), pattern.port().has_value()};
  const auto [at, added] = place_of(pattern).try_emplace(pattern.port().value_or(kAnyPort), rule);
  if (!added && mark == Mark::kBlock) at->second.mark = mark;
}

const HostRule* HostRules::find(const Host& host, std::uint16_t port) const {
  const HostRule* named = host.address() ? find(*host.address(), port) : find(names_, host.ruled_name(), port);
  if (named != nullptr) return named;
  return host.address() ? find(below_, "", port) : find_below(host.ruled_name(), port);
}

const HostRule* HostRules::find(const Address& address, std::uint16_t port) const {
  const auto at = addresses_.find(address);
  return at == addresses_.end() ? nullptr : find(at->second, port);
}

// The suffixes of a.b.c are b.c, c and, for *, the empty one.
const HostRule* HostRules::find_below(std::string_view name, std::uint16_t port) const {
  while (!name.empty()) {
    const auto dot = name.find('.');
    name.remove_prefix(dot == std::string_view::npos ? name.size() : dot + 1);
    if (const HostRule* rule = find(below_, name, port)) return rule;
  }
  return nullptr;
}

const HostRule* HostRules::find(const Names& names, std::string_view name, std::uint16_t port) {
  const auto at = names.find(name);
  return at == names.end() ? nullptr : find(at->second, port);
}

const HostRule* HostRules::find(const Ports& ports, std::uint16_t port) {
  auto at = ports.find(port);
  if (at == ports.end()) at = ports.find(kAnyPort);
  return at == ports.end() ? nullptr : &at->second;
}

}  // namespace sbx::policy
