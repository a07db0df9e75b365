// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/cidr.h"

#include <gtest/gtest.h>

#include "policy/words.h"

namespace sbx::policy {
namespace {

TEST(Cidr, HasOneText) {
  const std::pair<const char*, const char*> forms[] = {
      {"10.0.0.0/8", "10.0.0.0/8"},
      {"0.0.0.0/0", "0.0.0.0/0"},
      {"192.0.2.1/32", "192.0.2.1/32"},
      {"FC00::/7", "fc00::/7"},
      {"::/0", "::/0"},
      {"::1/128", "::1/128"},
      {"::ffff:0:0/96", "0.0.0.0/0"},
      {"::ffff:10.0.0.0/104", "10.0.0.0/8"},
  };
  for (const auto& [text, form] : forms) {
    const auto range = Cidr::parse(text);
    ASSERT_TRUE(range) << text << ": " << range.error().what();
    EXPECT_EQ(range->text(), form);
    EXPECT_EQ(*Cidr::parse(range->text()), *range);
  }
}

TEST(Cidr, RefusesWhatIsNone) {
  for (const char* text : {"",
                           "/",
                           "/8",
                           "10.0.0.0/",
                           "10.0.0.0/33",
                           "10.0.0.0/-1",
                           "10.0.0.0/+8",
                           "10.0.0.0/08",
                           "10.0.0.0/8 ",
                           " 10.0.0.0/8",
                           "10.0.0.0/8/8",
                           "10.0.0.0/0x8",
                           "10.0.0.0/255.0.0.0",
                           "10/8",
                           "10.0.0.0/4294967304",
                           "::/129",
                           "[::]/0",
                           "::1%lo/128",
                           "example.com/8",
                           "10.0.0.0-10.0.0.9",
                           "::ffff:0:0/95",
                           "0x0a.0.0.0/8"})
    EXPECT_FALSE(Cidr::parse(text)) << text;
}

TEST(Cidr, SaysWhatMayBeMeant) {
  EXPECT_EQ(Cidr::parse("10.1.2.3/8").error().what(),
            "bad address range \"10.1.2.3/8\": it has bits set after the first 8: write 10.0.0.0/8 or 10.1.2.3/32");
  EXPECT_EQ(Cidr::parse("fd00::1/8").error().what(),
            "bad address range \"fd00::1/8\": it has bits set after the first 8: write fd00::/8 or fd00::1/128");
  EXPECT_EQ(Cidr::parse("10.0.0.1").error().what(),
            "bad address range \"10.0.0.1\": it has no length: write 10.0.0.1/32");
}

struct Held {
  const char* range;
  const char* address;
  bool held;
};

const Held kHeld[] = {
    {"10.0.0.0/8", "10.0.0.0", true},
    {"10.0.0.0/8", "10.255.255.255", true},
    {"10.0.0.0/8", "11.0.0.0", false},
    {"10.0.0.0/8", "::ffff:10.0.0.1", true},
    {"10.0.0.0/8", "::10.0.0.1", false},
    {"172.16.0.0/12", "172.31.0.1", true},
    {"172.16.0.0/12", "172.32.0.1", false},
    {"192.0.2.1/32", "192.0.2.1", true},
    {"192.0.2.1/32", "192.0.2.2", false},
    {"0.0.0.0/0", "255.255.255.255", true},
    {"0.0.0.0/0", "::1", false},
    {"::/0", "::1", true},
    {"::/0", "10.0.0.1", false},
    {"fc00::/7", "fdff::1", true},
    {"fc00::/7", "fe00::1", false},
    {"::1/128", "::1", true},
    {"::1/128", "::", false},
    {"2001:db8::/33", "2001:db8:7fff::", true},
    {"2001:db8::/33", "2001:db8:8000::", false},
};

TEST(Cidr, HoldsAddressesOfItsFamily) {
  for (const auto& [range, address, held] : kHeld)
    EXPECT_EQ(Cidr::parse(range)->contains(address_of(address)), held) << range << " " << address;
}

TEST(Cidr, HoldsNarrowerRanges) {
  const auto holds = [](const char* wide, const char* narrow) {
    return Cidr::parse(wide)->contains(*Cidr::parse(narrow));
  };
  EXPECT_TRUE(holds("10.0.0.0/8", "10.1.0.0/16"));
  EXPECT_TRUE(holds("10.0.0.0/8", "10.0.0.0/8"));
  EXPECT_FALSE(holds("10.1.0.0/16", "10.0.0.0/8"));
  EXPECT_FALSE(holds("10.0.0.0/8", "11.0.0.0/16"));
  EXPECT_TRUE(holds("0.0.0.0/0", "10.0.0.0/8"));
  EXPECT_FALSE(holds("::/0", "10.0.0.0/8"));
}

}  // namespace
}  // namespace sbx::policy
