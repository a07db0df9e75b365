// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/network/name_table.h"

#include "wire/network.h"

namespace sbx::guest {

static_assert(NameTable::kMost < kLastName - kFirstName, "there must always be a free address");

Ipv4 NameTable::address_of(std::string_view name) {
  if (name == wire::kHostAlias) return kHostAddress;
  if (const auto it = by_name_.find(name); it != by_name_.end()) {
    touch(it->second);
    return it->second->address;
  }
  if (entries_.size() >= most_) forget_oldest();
  entries_.push_front({std::string(name), free_address()});
  by_name_.emplace(entries_.front().name, entries_.begin());
  by_address_.emplace(entries_.front().address, entries_.begin());
  return entries_.front().address;
}

std::optional<std::string> NameTable::name_of(Ipv4 address) {
  if (address == kHostAddress) return wire::kHostAlias;
  const auto it = by_address_.find(address);
  if (it == by_address_.end()) return std::nullopt;
  touch(it->second);
  return it->second->name;
}

void NameTable::forget_oldest() {
  by_name_.erase(entries_.back().name);
  by_address_.erase(entries_.back().address);
  entries_.pop_back();
}

Ipv4 NameTable::free_address() {
  do {
    next_ = next_ == kLastName ? kFirstName : next_ + 1;
  } while (by_address_.contains(next_));
  return next_;
}

}  // namespace sbx::guest
