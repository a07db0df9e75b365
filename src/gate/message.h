// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "netlog/losses.h"
#include "netlog/record.h"
#include "policy/policy.h"

// What the shim and its gate say to each other, one packet each (line.h).
namespace sbx::gate {

using Ticket = std::uint64_t;

// From the shim, which the gate does not trust.
struct Dial {
  Ticket ticket;
  policy::Target target;
};
struct Cancel {
  Ticket ticket;
};
struct Records {
  std::vector<netlog::Record> records;
};
struct Lost {  // decisions that it could not pass on
  netlog::Losses losses;
};
struct Enforced {  // what the policy of this number forbids is closed
  std::uint64_t policy;
};
struct Flushed {  // all records of what was decided before this Flush have been sent
  std::uint64_t flush;
};
using FromShim = std::variant<Cancel, Dial, Records, Lost, Enforced, Flushed>;

// From the gate.
struct Ready {};
struct GaveUp {
  Error why;
};
// What came of a dial. A failure is not a verdict: the policy had nothing against it.
struct Reached {  // the socket is attached
  policy::Verdict verdict;
  policy::Address address;
};
struct Refused {
  policy::Verdict verdict;
};
struct Failed {
  std::string why;
};
struct Dialed {
  Ticket ticket;
  std::variant<Reached, Refused, Failed> outcome;
};
struct PolicyPart {  // a policy may be larger than a packet
  std::uint64_t policy;
  bool last;
  std::string text;
};
struct Accepted {  // the socket is attached
  std::uint16_t port;
};
struct Flush {
  std::uint64_t flush;
};
using FromGate = std::variant<Ready, GaveUp, Dialed, PolicyPart, Accepted, Flush>;

std::string encode(const Dial& dial);
std::string encode(const Cancel& cancel);
std::string encode_records(std::string_view packed);  // netlog::pack()ed
std::string encode(const Lost& lost);
std::string encode(const Enforced& enforced);
std::string encode(const Flushed& flushed);
std::string encode(const Ready& ready);
std::string encode(const GaveUp& gave_up);
std::string encode(const Dialed& dialed);
std::string encode(const PolicyPart& part);
std::string encode(const Accepted& accepted);
std::string encode(const Flush& flush);

Result<FromShim> decode_from_shim(std::string_view packet);
Result<FromGate> decode_from_gate(std::string_view packet);

}  // namespace sbx::gate
