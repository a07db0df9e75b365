// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/guest_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace sbx::shim {
namespace {

// A clock that is moved by hand.
class GuestLogTest : public ::testing::Test {
 protected:
  std::string said(const std::function<void(GuestLog&)>& story) {
    ::testing::internal::CaptureStderr();
    {
      GuestLog log([this] { return now_; });
      story(log);
    }
    return ::testing::internal::GetCapturedStderr();
  }
  static std::ptrdiff_t lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

  SteadyTime now_ = steady_now();
};

TEST_F(GuestLogTest, AFewLinesPassAsTheyAre) {
  const std::string text = said([](GuestLog& log) {
    log.say("one");
    log.say("two");
  });
  EXPECT_NE(text.find("guest: one\n"), std::string::npos);
  EXPECT_NE(text.find("guest: two\n"), std::string::npos);
  EXPECT_EQ(lines(text), 2);
}

TEST_F(GuestLogTest, AFloodIsCutAndCounted) {
  const std::string text = said([](GuestLog& log) {
    for (int i = 0; i < 10'000; ++i) log.say("flood");
  });
  EXPECT_EQ(lines(text), GuestLog::kBurst + 1);
  EXPECT_NE(text.find(std::to_string(10'000 - GuestLog::kBurst) + " lines of the guest were dropped"),
            std::string::npos);
}

TEST_F(GuestLogTest, AfterASecondItMaySpeakAgainAndTheCountComesFirst) {
  const std::string text = said([this](GuestLog& log) {
    for (int i = 0; i < GuestLog::kBurst + 5; ++i) log.say("flood");
    now_ += std::chrono::seconds(1);
    for (int i = 0; i < GuestLog::kEachSecond + 3; ++i) log.say("calm");
  });
  const auto count = text.find(" 5 lines of the guest were dropped");
  ASSERT_NE(count, std::string::npos);
  EXPECT_LT(count, text.find("calm"));
  EXPECT_NE(text.find(" 3 lines of the guest were dropped"), std::string::npos);
  EXPECT_EQ(lines(text), GuestLog::kBurst + GuestLog::kEachSecond + 2);
}

TEST_F(GuestLogTest, SilenceSavesUpNoMoreThanABurst) {
  const std::string text = said([this](GuestLog& log) {
    now_ += std::chrono::hours(24);
    for (int i = 0; i < 10'000; ++i) log.say("flood");
  });
  EXPECT_EQ(lines(text), GuestLog::kBurst + 1);
}

}  // namespace
}  // namespace sbx::shim
