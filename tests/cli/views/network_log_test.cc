// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/views/network_log.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <time.h>

namespace sbx::cli {
namespace {

class NetworkLog : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::setenv("TZ", "UTC", 1), 0);
    ::tzset();
  }
  void TearDown() override {
    ::unsetenv("TZ");
    ::tzset();
  }

  static Json host(const char* name, const char* rule, const char* path, int count) {
    return {{"host", name},
            {"vm_name", "box"},
            {"proxy_type", path},
            {"rule", rule},
            {"last_seen", "2026-11-15T19:22:23.041Z"},
            {"since", "2026-11-15T19:00:00.000Z"},
            {"count_since", count},
            {"reason", "a rule blocks it"}};
  }
  const Json log = {{"blocked_hosts", {host("bad.test:443", "bad.test", "forward", 2)}},
                    {"allowed_hosts",
                     {host("a.test:443", "<default policy>", "forward", 3),
                      host("a.test:443", "<default policy>", "transparent", 4), host("b.test:80", "*", "forward", 1)}}};
  const Json decision = {{"time", "2026-11-15T19:22:23.041Z"},
                         {"vm_name", "box"},
                         {"host", "a.test:443"},
                         {"proxy_type", "forward"},
                         {"allowed", true},
                         {"method", "GET"},
                         {"path", "/x"},
                         {"rule", "*"},
                         {"reason", "a rule allows it"},
                         {"status", 200},
                         {"sent", 100},
                         {"received", 2000},
                         {"duration_us", 12345}};
};

TEST_F(NetworkLog, HasTheVendorsTwoTables) {
  EXPECT_EQ(network_log_tables(log, false).value_or("error"),
            "Blocked requests:\n"
            "SANDBOX   HOST           RULE       LAST SEEN         COUNT\n"
            "box       bad.test:443   bad.test   19:22:23 15-Nov   2\n"
            "\n"
            "Allowed requests:\n"
            "SANDBOX   HOST         RULE               LAST SEEN         COUNT\n"
            "box       a.test:443   <default policy>   19:22:23 15-Nov   7\n"
            "box       b.test:80    *                  19:22:23 15-Nov   1\n");
}

TEST_F(NetworkLog, OfWhatWasBlockedIsOneTable) {
  const std::string text = network_log_tables(log, true).value_or("error");
  EXPECT_TRUE(text.starts_with("Blocked requests:\n"));
  EXPECT_EQ(text.find("Allowed"), std::string::npos);
}

TEST_F(NetworkLog, AnEmptyOneHasItsTitles) {
  const Json empty = {{"blocked_hosts", Json::array()}, {"allowed_hosts", Json::array()}};
  EXPECT_EQ(network_log_tables(empty, false).value_or("error"),
            "Blocked requests:\nSANDBOX   HOST   RULE   LAST SEEN   COUNT\n\n"
            "Allowed requests:\nSANDBOX   HOST   RULE   LAST SEEN   COUNT\n");
  EXPECT_EQ(network_log_hosts(empty).value_or("error"), "");
}

TEST_F(NetworkLog, SaysWhatItMisses) {
  Json losing = log;
  losing["unwritten"] = {{{"vm_name", "box"},
                          {"count", 12},
                          {"since", "2026-11-15T19:00:00.000Z"},
                          {"last_seen", "2026-11-15T19:22:23.041Z"}},
                         {{"vm_name", "o\x1bther"},
                          {"count", 1},
                          {"since", "2026-11-15T19:00:00.000Z"},
                          {"last_seen", "2026-11-15T19:00:00.500Z"}}};
  const std::string lines =
      "box: 12 decisions could not be written, between 19:00:00 15-Nov and 19:22:23 15-Nov\n"
      "o\\x1bther: 1 decision could not be written, at 19:00:00 15-Nov\n";
  EXPECT_EQ(network_log_losses(losing).value_or("error"), lines);
  for (const bool blocked_only : {false, true})
    EXPECT_EQ(network_log_tables(losing, blocked_only).value_or("error"),
              *network_log_tables(log, blocked_only) + "\n" + lines);
  EXPECT_EQ(network_log_losses(log).value_or("error"), "");
}

TEST_F(NetworkLog, HostsThatItNoLongerKnowsAreALineOfTheTableButNoHosts) {
  Json many = log;
  many["blocked_hosts"].push_back(host("<other hosts>", "<default policy>", "forward", 30'000));
  EXPECT_EQ(network_log_hosts(many).value_or("error"), "bad.test:443\na.test:443\nb.test:80\n");
  EXPECT_NE(network_log_tables(many, true)
                .value_or("error")
                .find("box       <other hosts>   <default policy>   19:22:23 15-Nov   30000\n"),
            std::string::npos);
}

TEST_F(NetworkLog, HostsAreThereOnce) {
  EXPECT_EQ(network_log_hosts(log).value_or("error"), "bad.test:443\na.test:443\nb.test:80\n");
}

TEST_F(NetworkLog, ADecisionIsOneLine) {
  EXPECT_EQ(network_log_line(decision).value_or("error"),
            "19:22:23 box allowed forward a.test:443 GET /x rule=* status=200 sent=100 received=2000 12.3ms\n");
}

TEST_F(NetworkLog, ATunnelHasNoRequestAndMayGoOn) {
  Json tunnel = decision;
  tunnel["method"] = tunnel["path"] = "";
  tunnel["status"] = 0;
  tunnel["duration_us"] = -1;
  EXPECT_EQ(network_log_line(tunnel).value_or("error"),
            "19:22:23 box allowed forward a.test:443 rule=* sent=100 received=2000 open\n");
}

TEST_F(NetworkLog, WhatAGuestMadeUpCannotDriveTheTerminal) {
  Json hostile = decision;
  hostile["path"] = "/\x1b[2J\nx";
  const std::string line = network_log_line(hostile).value_or("error");
  EXPECT_EQ(line.find('\x1b'), std::string::npos);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
}

TEST_F(NetworkLog, AnAnswerThatIsNoneIsAnError) {
  EXPECT_FALSE(network_log_tables(Json{{"blocked_hosts", {{{"host", 1}}}}}, false));
  EXPECT_FALSE(network_log_line(Json::array()));
}

}  // namespace
}  // namespace sbx::cli
