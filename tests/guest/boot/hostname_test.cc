// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/hostname.h"

#include <gtest/gtest.h>

namespace sbx::guest {
namespace {

TEST(Hostname, MissingLinesAreAdded) {
  const std::string both = with_host_lines("", "box");
  EXPECT_EQ(both, "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n127.0.1.1\tbox\n");
  EXPECT_EQ(with_host_lines(both, "box"), both);
}

TEST(Hostname, WhatIsThereStays) {
  const std::string hosts = "127.0.0.1 localhost  # box\n10.0.0.1 db";
  EXPECT_EQ(with_host_lines(hosts, "db"), hosts + "\n");
  EXPECT_EQ(with_host_lines(hosts, "box"), hosts + "\n127.0.1.1\tbox\n");
}

}  // namespace
}  // namespace sbx::guest
