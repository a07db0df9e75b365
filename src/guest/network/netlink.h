// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/result.h"

namespace sbx::guest {

// Writes netlink messages, one after another, into one buffer: no tool that could do it for us is sure to be in the
// guest. Attributes nest by begin() and end().
class NetlinkWriter {
 public:
  // A message of this type; `flags` beside NLM_F_REQUEST. Its fixed part follows.
  void message(std::uint16_t type, std::uint16_t flags);
  template <class T>
  void fixed(const T& part) {
    static_assert(std::is_trivially_copyable_v<T>);
    raw({reinterpret_cast<const char*>(&part), sizeof part});
  }

  void attribute(std::uint16_t type, std::string_view bytes);
  void text(std::uint16_t type, std::string_view text);       // with a zero byte at its end
  void u32(std::uint16_t type, std::uint32_t value);          // in the machine's byte order, as rtnetlink has it
  void network_u32(std::uint16_t type, std::uint32_t value);  // most significant byte first, as nf_tables has it
  std::size_t begin(std::uint16_t type);
  void end(std::size_t nest);

  const std::string& bytes() const { return bytes_; }
  // How many answers are to come: one for each message with NLM_F_ACK.
  int expected() const { return expected_; }

 private:
  void raw(std::string_view bytes);
  void grow_message();

  std::string bytes_;
  std::size_t message_ = 0;  // where the last one begins
  std::uint32_t sequence_ = 0;
  int expected_ = 0;
};

// Sends them as one datagram and reads the answers. The first error is returned, but for EEXIST: the second start of
// a machine finds what the first has made.
Result<> netlink(int protocol, const NetlinkWriter& messages);

}  // namespace sbx::guest
