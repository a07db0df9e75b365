// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/address.h"

#include <gtest/gtest.h>

namespace sbx::policy {
namespace {

using namespace std::string_literals;

TEST(Address, HasOneText) {
  const std::pair<const char*, const char*> forms[] = {
      {"192.0.2.1", "192.0.2.1"},        {"::ffff:192.0.2.1", "192.0.2.1"},
      {"::ffff:c000:201", "192.0.2.1"},  {"2001:DB8::0:1", "2001:db8::1"},
      {"0:0:0:0:0:0:0:1", "::1"},        {"::", "::"},
      {"1:0:0:2:0:0:0:3", "1:0:0:2::3"}, {"2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"},
  };
  for (const auto& [text, form] : forms) {
    const auto address = Address::parse(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(address->text(), form);
    EXPECT_EQ(Address::parse(address->text()), address);
  }
}

TEST(Address, IsPlainOrNone) {
  for (const std::string& text : {""s,
                                  "1"s,
                                  "127.1"s,
                                  "127.0.1"s,
                                  "0177.0.0.1"s,
                                  "127.0.0.01"s,
                                  "00.0.0.0"s,
                                  "0x7f.0.0.1"s,
                                  "2130706433"s,
                                  "256.0.0.1"s,
                                  "1.2.3.4.5"s,
                                  "1.2.3.4."s,
                                  " 1.2.3.4"s,
                                  "1.2.3.4 "s,
                                  "1.2.3.4\n"s,
                                  "1.2.3.4\0"s,
                                  "1.2.3.4\0x"s,
                                  "+1.2.3.4"s,
                                  "[::1]"s,
                                  "::1%lo"s,
                                  "::1/128"s,
                                  ":::"s,
                                  "1::2::3"s,
                                  "::00001"s,
                                  "::ffff:1.2.3"s,
                                  "::1.2.3.04"s,
                                  "1:2:3:4:5:6:7:8:9"s,
                                  "1:2:3:4:5:6:7:1.2.3.4"s,
                                  std::string(100, ':'),
                                  std::string(10'000, '1')})
    EXPECT_FALSE(Address::parse(text)) << text;
}

TEST(Address, MappedIsIpv4) {
  EXPECT_TRUE(Address::parse("::ffff:10.0.0.1")->is_v4());
  EXPECT_EQ(*Address::parse("::ffff:10.0.0.1"), Address::v4({10, 0, 0, 1}));
  EXPECT_FALSE(Address::parse("::10.0.0.1")->is_v4());
  EXPECT_FALSE(Address::parse("::fffe:10.0.0.1")->is_v4());
}

}  // namespace
}  // namespace sbx::policy
