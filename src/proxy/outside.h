// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/fd.h"
#include "netlog/record.h"
#include "policy/policy.h"

namespace sbx::proxy {

// What came of a dial: a connected socket if the verdict allows it and nothing failed.
struct Dialled {
  policy::Verdict verdict;  // with the address considered: it may have become a refusal or a tunnel
  Fd socket;  // non-blocking; none if refused or failed. Whoever dialled it may keep a copy: shut it down, then close
              // it
  std::optional<policy::Address> address;  // the one that was dialled
  std::string error;                       // why it failed, for a person: "connection refused"
};

// The proxy's only way out. The proxy itself can open nothing: whoever implements this decides anew.
class Outside {
 public:
  using Ticket = std::uint64_t;
  using OnDialled = std::function<void(Dialled)>;

  virtual ~Outside() = default;
  // Resolves the host, asks the policy about each address, connects to one that passes. Calls back once, never from
  // inside this call, and not after cancel().
  virtual Ticket dial(const policy::Target& target, OnDialled done) = 0;
  virtual void cancel(Ticket ticket) = 0;
  virtual void record(const netlog::Record& record) = 0;
};

}  // namespace sbx::proxy
