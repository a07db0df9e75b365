// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "proxy/asking.h"

namespace sbx::proxy {
namespace {

using http::Headers;
using testing::Asking;

TEST(HopByHop, WhatIsForTheNextHopIsDropped) {
  Asking asking;
  asking.head.fields = {{"Connection", "close, X-Mine "},
                        {"connection", "x-too"},
                        {"X-Mine", "1"},
                        {"X-Too", "2"},
                        {"Keep-Alive", "5"},
                        {"TE", "gzip"},
                        {"Transfer-Encoding", "chunked"},
                        {"Upgrade", "h2c"},
                        {"PROXY-Authorization", "secret"},
                        {"Proxy-Anything", "1"},
                        {"Proxy-", "1"},
                        {"Accept", "*/*"},
                        {"X-Mine-Too", "3"}};
  EXPECT_EQ(asking.refused_by(drop_hop_by_hop), "");
  EXPECT_EQ(asking.head.fields, (Headers{{"Accept", "*/*"}, {"X-Mine-Too", "3"}}));
}

// What it names are short strings: they move when a field in front of them goes.
TEST(HopByHop, TheNamesOutliveTheFieldThatHasThem) {
  Headers fields = {{"A", "1"}, {"TE", "x"}, {"Connection", "b, c"}, {"B", "2"}, {"C", "3"}, {"D", "4"}};
  drop_hop_by_hop(fields);
  EXPECT_EQ(fields, (Headers{{"A", "1"}, {"D", "4"}}));
}

}  // namespace
}  // namespace sbx::proxy
