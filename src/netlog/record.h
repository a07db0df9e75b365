// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/choice.h"
#include "base/result.h"

namespace sbx::netlog {

// How a connection came to the proxy and what was done with it, in the vendor's words.
enum class Path : std::uint8_t { kForward, kForwardBypass, kTransparent, kTransparentBypass };
constexpr auto choices(Path) {
  return std::to_array<Choice<Path>>({{Path::kForward, "forward"},
                                      {Path::kForwardBypass, "forward-bypass"},
                                      {Path::kTransparent, "transparent"},
                                      {Path::kTransparentBypass, "transparent-bypass"}});
}
Path path_from(std::int64_t number);  // one that is none is kForward

// One decision of the network policy: a request where HTTP is inspected, a connection elsewhere. Told when it is made
// and, if it was let through, again with the same id when it is over. Holds no query and no header of a request.
struct Record {
  std::int64_t id = 0;       // grows with time; no two of a sandbox are the same
  std::int64_t time_us = 0;  // wall clock
  std::string host;          // as in a URL, lower case
  std::uint16_t port = 0;
  Path path = Path::kForward;
  bool allowed = false;
  std::string method;    // when inspected
  std::string url_path;  // when inspected; without the query
  std::string rule;
  std::string reason;
  std::uint32_t status = 0;       // of the answer; 0: none
  std::uint64_t sent = 0;         // bytes from the guest
  std::uint64_t received = 0;     // bytes to the guest
  std::int64_t duration_us = -1;  // -1: it goes on

  // Whether it tells that what was let through is over, and not of a decision.
  bool is_end() const { return allowed && duration_us >= 0; }
  bool operator==(const Record&) const = default;
};

// Between the shim and its gate: many at a time, so compact.
std::string pack(const Record& record);          // with its length before it
Result<Record> unpack(std::string_view& bytes);  // takes one off the front

}  // namespace sbx::netlog
