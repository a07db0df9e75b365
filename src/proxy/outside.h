// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>

#include "base/fd.h"
#include "netlog/record.h"
#include "policy/policy.h"

namespace sbx::proxy {

// What came of a dial. A failure is not a verdict: the policy had nothing against it.
struct Reached {
  Fd socket;  // connected, non-blocking. The gate keeps a copy: shut it down before closing it
  policy::Address address;
  policy::Verdict verdict;  // allowed; with the address considered, which may make a tunnel of it
};
struct Refused {
  policy::Verdict verdict;
};
struct Failed {
  std::string why;  // for a person: "connection refused"
};
using Dialed = std::variant<Reached, Refused, Failed>;

// The proxy's only way out. The proxy itself can open nothing: the gate behind this asks the policy again.
class Outside {
 public:
  using Ticket = std::uint64_t;
  using OnDialed = std::function<void(Dialed)>;

  virtual ~Outside() = default;
  // Resolves the host, asks the policy about each address, connects to one that passes. Calls back once, never from
  // inside this call, and not after cancel().
  virtual Ticket dial(const policy::Target& target, OnDialed done) = 0;
  virtual void cancel(Ticket ticket) = 0;
  virtual void record(const netlog::Record& record) = 0;
};

}  // namespace sbx::proxy
