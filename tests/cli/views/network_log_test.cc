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

  static wire::LoggedHost host(const char* name, const char* rule, wire::ProxyType type, int count) {
    return {.host = name,
            .sandbox = "box",
            .proxy_type = type,
            .rule = rule,
            .last_seen = "2026-11-15T19:22:23.041Z",
            .since = "2026-11-15T19:00:00.000Z",
            .count = count,
            .reason = "a rule blocks it"};
  }
  const wire::NetworkLog log = {.blocked = {host("bad.test:443", "bad.test", wire::ProxyType::kForward, 2)},
                                .allowed = {host("a.test:443", "<default policy>", wire::ProxyType::kForward, 3),
                                            host("a.test:443", "<default policy>", wire::ProxyType::kTransparent, 4),
                                            host("b.test:80", "*", wire::ProxyType::kForward, 1)},
                                .unwritten = {}};
  const wire::LoggedDecision decision = {.time = "2026-11-15T19:22:23.041Z",
                                         .sandbox = "box",
                                         .host = "a.test:443",
                                         .proxy_type = wire::ProxyType::kForward,
                                         .allowed = true,
                                         .method = "GET",
                                         .path = "/x",
                                         .rule = "*",
                                         .reason = "a rule allows it",
                                         .status = 200,
                                         .sent = 100,
                                         .received = 2000,
                                         .duration_us = 12345};
};

TEST_F(NetworkLog, HasTheVendorsTwoTables) {
  EXPECT_EQ(network_log_tables(log, false),
            "Blocked requests:\n"
            "SANDBOX   HOST           RULE       LAST SEEN         COUNT\n"
            "box       bad.test:443   bad.test   19:22:23 15-Nov   2\n"
            "\n"
            "Allowed requests:\n"
            "SANDBOX   HOST         RULE               LAST SEEN         COUNT\n"
            "box       a.test:443   <default policy>   19:22:23 15-Nov   7\n"
            "box       b.test:80    *                  19:22:23 15-Nov   1\n");
}

TEST_F(NetworkLog, ALimitChangesNoCount) {
  const std::string tables = network_log_tables(log, false, 1);
  EXPECT_NE(tables.find("box       a.test:443   <default policy>   19:22:23 15-Nov   7\n"), std::string::npos)
      << tables;
  EXPECT_EQ(tables.find("b.test"), std::string::npos);
  EXPECT_EQ(network_log_hosts(log, 1), "bad.test:443\na.test:443\n");
}

TEST_F(NetworkLog, QuietIsTheRowsOfBothTablesAlone) {
  EXPECT_EQ(network_log_rows(log),
            "box   bad.test:443   bad.test           19:22:23 15-Nov   2\n"
            "box   a.test:443     <default policy>   19:22:23 15-Nov   7\n"
            "box   b.test:80      *                  19:22:23 15-Nov   1\n");
  EXPECT_EQ(network_log_rows({}), "");
}

TEST_F(NetworkLog, OfWhatWasBlockedIsOneTable) {
  const std::string text = network_log_tables(log, true);
  EXPECT_TRUE(text.starts_with("Blocked requests:\n"));
  EXPECT_EQ(text.find("Allowed"), std::string::npos);
}

TEST_F(NetworkLog, AnEmptyOneHasItsTitles) {
  const wire::NetworkLog empty;
  EXPECT_EQ(network_log_tables(empty, false),
            "Blocked requests:\nSANDBOX   HOST   RULE   LAST SEEN   COUNT\n\n"
            "Allowed requests:\nSANDBOX   HOST   RULE   LAST SEEN   COUNT\n");
  EXPECT_EQ(network_log_hosts(empty), "");
}

TEST_F(NetworkLog, SaysWhatItMisses) {
  wire::NetworkLog losing = log;
  losing.unwritten = {{"box", 12, "2026-11-15T19:00:00.000Z", "2026-11-15T19:22:23.041Z"},
                      {"o\x1bther", 1, "2026-11-15T19:00:00.000Z", "2026-11-15T19:00:00.500Z"}};
  const std::string lines =
      "box: 12 decisions could not be written, between 19:00:00 15-Nov and 19:22:23 15-Nov\n"
      "o\\x1bther: 1 decision could not be written, at 19:00:00 15-Nov\n";
  EXPECT_EQ(network_log_losses(losing), lines);
  for (const bool blocked_only : {false, true})
    EXPECT_EQ(network_log_tables(losing, blocked_only), network_log_tables(log, blocked_only) + "\n" + lines);
  EXPECT_EQ(network_log_losses(log), "");
}

TEST_F(NetworkLog, HostsThatItNoLongerKnowsAreALineOfTheTableButNoHosts) {
  wire::NetworkLog many = log;
  many.blocked.push_back(host("<other hosts>", "<default policy>", wire::ProxyType::kForward, 30'000));
  EXPECT_EQ(network_log_hosts(many), "bad.test:443\na.test:443\nb.test:80\n");
  EXPECT_NE(network_log_tables(many, true)

                .find("box       <other hosts>   <default policy>   19:22:23 15-Nov   30000\n"),
            std::string::npos);
}

TEST_F(NetworkLog, HostsAreThereOnce) { EXPECT_EQ(network_log_hosts(log), "bad.test:443\na.test:443\nb.test:80\n"); }

TEST_F(NetworkLog, ADecisionIsOneLine) {
  EXPECT_EQ(network_log_line(decision),
            "19:22:23 box allowed forward a.test:443 GET /x rule=* status=200 sent=100 received=2000 12.3ms\n");
}

TEST_F(NetworkLog, ATunnelHasNoRequestAndMayGoOn) {
  wire::LoggedDecision tunnel = decision;
  tunnel.method = tunnel.path = "";
  tunnel.status = 0;
  tunnel.duration_us = -1;
  EXPECT_EQ(network_log_line(tunnel), "19:22:23 box allowed forward a.test:443 rule=* sent=100 received=2000 open\n");
}

TEST_F(NetworkLog, WhatAGuestMadeUpCannotDriveTheTerminal) {
  wire::LoggedDecision hostile = decision;
  hostile.path = "/\x1b[2J\nx";
  const std::string line = network_log_line(hostile);
  EXPECT_EQ(line.find('\x1b'), std::string::npos);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
}

}  // namespace
}  // namespace sbx::cli
