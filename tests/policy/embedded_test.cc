// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/embedded.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "policy/words.h"

namespace sbx::policy {
namespace {

struct Clothed {
  const char* what;
  const char* address;
};

// Each of them is 10.1.2.3 to somebody.
const Clothed kClothed[] = {
    {"compatible", "::10.1.2.3"},
    {"translated", "::ffff:0:10.1.2.3"},
    {"NAT64", "64:ff9b::10.1.2.3"},
    {"local NAT64 as a /48", "64:ff9b:1:a01:2:300::"},
    {"local NAT64 as a /56", "64:ff9b:1:ff0a:1:203::"},
    {"local NAT64 as a /64", "64:ff9b:1:ffff:a:102:300:0"},
    {"local NAT64 as a /96", "64:ff9b:1:ffff:ffff:ffff:10.1.2.3"},
    {"6to4", "2002:a01:203::1"},
    {"Teredo server", "2001:0:a01:203::1"},
    {"Teredo client", "2001:0:101:101:0:0:f5fe:fdfc"},
    {"ISATAP", "2001:db8::5efe:10.1.2.3"},
    {"ISATAP of a public address", "fe80::200:5efe:10.1.2.3"},
};

TEST(Embedded, SeesTheIpv4AddressInEveryForm) {
  for (const auto& [what, text] : kClothed) {
    const auto found = embedded_ipv4(address_of(text));
    EXPECT_NE(std::ranges::find(found, Address::v4({10, 1, 2, 3})), found.end()) << what;
  }
}

TEST(Embedded, SeesNothingInPlainAddresses) {
  for (const char* text : {"10.1.2.3", "::ffff:10.1.2.3", "2001:db8::10.1.2.3", "2606:4700::1111", "fd00::1",
                           "64:ff9c::1", "64:ff9b:2::1", "2003:a01:203::1", "2001:1::1"})
    EXPECT_TRUE(embedded_ipv4(address_of(text)).empty()) << text;
}

}  // namespace
}  // namespace sbx::policy
