// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/network/redirect.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <cstring>

#include "base/format.h"
#include "guest/network/routes.h"
#include "support/golden.h"

namespace sbx::guest {
namespace {

// Four bytes to a word, and a line for each message.
std::string dump_of(const NetlinkWriter& messages) {
  const std::string& bytes = messages.bytes();
  std::string out;
  std::size_t left = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 4) {
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + at, sizeof length);
    if (left == 0) out += out.empty() ? "" : "\n", left = length;
    for (std::size_t i = at; i < at + 4; ++i) out += sbx::format("{:02x}", static_cast<unsigned char>(bytes[i]));
    left -= 4;
    out += left == 0 ? "" : " ";
  }
  return out + "\n";
}

// What nft itself prints for these bytes is in guest/network/redirect.h; that they do what they say is in
// network_test.cc.
TEST(Redirect, IsEncodedAsItWas) { testing::expect_golden("guest/redirect.txt", dump_of(redirect_messages())); }

TEST(Routes, AreEncodedAsTheyWere) {
  testing::expect_golden("guest/routes.txt", dump_of(loopback_messages()) + dump_of(route_messages(AF_INET)) +
                                                 dump_of(route_messages(AF_INET6)));
}

TEST(Netlink, AMessageIsAsLongAsItSaysAndAttributesAreAligned) {
  NetlinkWriter out;
  out.message(7, 4);
  out.text(1, "abc");
  const std::size_t nest = out.begin(2);
  out.attribute(3, "x");
  out.end(nest);
  out.message(8, 0);
  EXPECT_EQ(dump_of(out),
            "24000000 07000500 01000000 00000000 08000100 61626300 0c000280 05000300 78000000\n"
            "10000000 08000100 02000000 00000000\n");
  EXPECT_EQ(out.expected(), 1);
}

}  // namespace
}  // namespace sbx::guest
