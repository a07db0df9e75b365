// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "daemon/options.h"

#include <gtest/gtest.h>

namespace sbx::daemon {
namespace {

TEST(Options, AreAllOptional) {
  const auto options = parse_options({});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->home, "");
  EXPECT_FALSE(options->ready_fd);
}

TEST(Options, TakeValuesInBothForms) {
  const auto options = parse_options({"--home", "/a", "--ready-fd=3", "-D"});
  ASSERT_TRUE(options) << options.error().what();
  EXPECT_EQ(options->home, "/a");
  EXPECT_EQ(options->ready_fd, 3);
  EXPECT_TRUE(options->debug);
}

TEST(Options, RefuseWhatTheyDoNotKnow) {
  for (const auto& arguments : std::vector<std::vector<std::string>>{{"--hom"},
                                                                     {"x"},
                                                                     {"--home"},
                                                                     {"--home", "relative"},
                                                                     {"--ready-fd", "x"},
                                                                     {"--ready-fd", "-1"},
                                                                     {"--debug=perhaps"},
                                                                     {""}})
    EXPECT_EQ(parse_options(arguments).error().code(), Code::kInvalid) << arguments.front();
}

TEST(Options, AreAllInTheUsage) {
  for (const char* flag : {"--home", "--ready-fd", "-D", "--version", "--fault-points"})
    EXPECT_NE(usage().find(flag), std::string::npos) << flag;
}

}  // namespace
}  // namespace sbx::daemon
