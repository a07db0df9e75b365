// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "api/server.h"
#include "base/clock.h"
#include "base/socket.h"
#include "netlog/database.h"
#include "netlog/writer.h"
#include "support/api_client.h"
#include "support/fake_world.h"

namespace sbx::api {
namespace {

using sbx::testing::ApiClient;

netlog::Record record(std::int64_t id, const std::string& host, bool allowed) {
  netlog::Record record;
  record.id = id;
  record.time_us = id * 1'000'000;
  record.host = host;
  record.port = 443;
  record.allowed = allowed;
  record.rule = "<default policy>";
  record.reason = "because";
  return record;
}

class NetworkLog : public ::testing::Test {
 protected:
  void SetUp() override {
    server = std::move(*Server::start(std::move(*listen_unix(world.home.socket())), services));
    for (const char* name : {"box", "other"}) ASSERT_TRUE(sandboxes->creation.create(world.request(name), {}));
  }
  void TearDown() override {
    sandboxes->events.close();
    EXPECT_TRUE(server->stop(std::chrono::seconds(30)));
    EXPECT_TRUE(sandboxes->removal.reset());
  }

  void write(const std::string& name, const std::vector<netlog::Record>& records) {
    const std::string directory = world.home.machine(name) + "/" + netlog::kLogDirectory;
    ASSERT_TRUE(make_directories(directory));
    auto writer = netlog::Writer::open(directory + "/" + netlog::kLogFile);
    ASSERT_TRUE(writer) << writer.error().what();
    ASSERT_TRUE(writer->write(records));
  }
  std::string hosts(const std::string& query, const char* list) {
    const auto response = ApiClient(world.home.socket()).call("GET", "/network/log" + query);
    const Json log = parse_json(response.body).value_or(Json());
    std::string out;
    for (const Json& item : log[list])
      out += item["vm_name"].get<std::string>() + "/" + item["host"].get<std::string>() + " ";
    return out;
  }

  sbx::testing::FakeWorld world;
  std::unique_ptr<sandboxes::Sandboxes> sandboxes = world.daemon();
  Services services{*sandboxes, "/home/u", "2026-11-15T00:00:00.000Z", [] {}};
  std::unique_ptr<Server> server;
};

TEST_F(NetworkLog, IsOfAllSandboxesOrOfOneTheNewestFirst) {
  write("box", {record(1, "a.test", true), record(3, "bad.test", false)});
  write("other", {record(2, "b.test", true)});
  EXPECT_EQ(hosts("", "allowed_hosts"), "other/b.test:443 box/a.test:443 ");
  EXPECT_EQ(hosts("", "blocked_hosts"), "box/bad.test:443 ");
  EXPECT_EQ(hosts("?sandbox=other", "allowed_hosts"), "other/b.test:443 ");
  EXPECT_EQ(hosts("?limit=1", "allowed_hosts"), "other/b.test:443 ");
  EXPECT_EQ(hosts("?blocked=1", "allowed_hosts"), "");
}

TEST_F(NetworkLog, CountsWhatIsForgottenAndHostsThatHaveNoNameLeft) {
  const std::int64_t now_seconds = microseconds_of(now()) / 1'000'000;
  std::vector<netlog::Record> records;
  for (std::int64_t id = 0; id < 3000; ++id)
    records.push_back(record(now_seconds - 3000 + id, "x" + std::to_string(id) + ".test", false));
  write("box", records);
  const Json log =
      parse_json(ApiClient(world.home.socket()).call("GET", "/network/log?blocked=1").body).value_or(Json());
  std::int64_t count = 0;
  std::int64_t others = 0;
  for (const Json& each : log["blocked_hosts"]) {
    count += each["count_since"].get<std::int64_t>();
    if (each["host"] == "<other hosts>") ++others;
  }
  EXPECT_EQ(count, 3000);
  EXPECT_EQ(others, 1);
  EXPECT_LT(log["blocked_hosts"].size(), 2000u);
}

TEST_F(NetworkLog, SaysWhatCouldNotBeWritten) {
  write("box", {record(1, "a.test", true)});
  const auto unwritten = [&](const std::string& query) {
    return parse_json(ApiClient(world.home.socket()).call("GET", "/network/log" + query).body)
        .value_or(Json())["unwritten"];
  };
  EXPECT_EQ(unwritten(""), Json::array());
  auto writer = netlog::Writer::open(world.home.machine("box") + "/" + netlog::kLogDirectory + "/" + netlog::kLogFile);
  writer->lose({7, 1'000'000, 61'000'000});
  ASSERT_TRUE(writer->write({}));
  const Json expected = Json::array({{{"vm_name", "box"},
                                      {"count", 7},
                                      {"since", "1970-01-01T00:00:01.000Z"},
                                      {"last_seen", "1970-01-01T00:01:01.000Z"}}});
  EXPECT_EQ(unwritten(""), expected);
  EXPECT_EQ(unwritten("?sandbox=box&blocked=1&limit=1"), expected);
  EXPECT_EQ(unwritten("?sandbox=other"), Json::array());
}

TEST_F(NetworkLog, OneThatIsGarbledDoesNotHideTheOthers) {
  write("box", {record(1, "a.test", true)});
  const std::string directory = world.home.machine("other") + "/" + netlog::kLogDirectory;
  ASSERT_TRUE(make_directories(directory));
  ASSERT_TRUE(write_file(directory + "/" + netlog::kLogFile, std::string(4096, 'x')));
  EXPECT_EQ(hosts("", "allowed_hosts"), "box/a.test:443 ");
  EXPECT_GE(ApiClient(world.home.socket()).call("GET", "/network/log?sandbox=other").status, 400);
}

TEST_F(NetworkLog, AFollowerIsToldOfEachDecisionAndOfTheEndOfWhatWentOn) {
  write("box", {record(1, "before.test", false), record(2, "last.test", false)});
  ApiClient follower(world.home.socket());
  follower.send("GET /network/log?follow=1&limit=1 HTTP/1.1\r\n\r\n");
  EXPECT_EQ(follower.receive_until("last.test:443").find("before.test"), std::string::npos);
  netlog::Record open = record(3, "open.test", true);
  write("box", {open});
  (void)follower.receive_until("open.test:443");
  EXPECT_NE(follower.receive_until("\n\n").find("\"duration_us\":-1"), std::string::npos);
  write("other", {record(1, "elsewhere.test", false)});
  (void)follower.receive_until("elsewhere.test:443");
  open.duration_us = 77;
  open.status = 200;
  write("box", {open});
  const std::string end = follower.receive_until("\"duration_us\":77");
  EXPECT_NE(end.find("open.test:443"), std::string::npos) << end;
}

TEST_F(NetworkLog, AFollowerOfASandboxThatIsNotThereIsToldSo) {
  EXPECT_EQ(ApiClient(world.home.socket()).call("GET", "/network/log?follow=1&sandbox=none").status, 404);
}

}  // namespace
}  // namespace sbx::api
