// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/client/client.h"

#include <gtest/gtest.h>

#include "cli/client/remote.h"
#include "cli/fake_daemon.h"
#include "support/temporary_directory.h"
#include "wire/request_key.h"

namespace sbx::cli {
namespace {

class ClientTest : public ::testing::Test {
 protected:
  Client client() const { return Client(directory_ / "socket", std::nullopt); }
  FakeDaemon daemon_saying(std::string bytes) {
    return FakeDaemon(directory_ / "socket", [bytes](const http::Request&) { return bytes; });
  }
  testing::TemporaryDirectory directory_;
};

constexpr const char* kInfo = R"({"id":"1","name":"box","agent":"shell","status":"running","new_member":true})";

TEST_F(ClientTest, SendsTheRequestAndReadsTheJsonAnswer) {
  FakeDaemon fake(directory_ / "socket", [](const http::Request&) {
    return http::render(http::Response{200, {}, R"({"a":1})"});
  });
  const auto answer = client().post({"sandboxes", "a b/c", "start"}, {{"grace_ms", 5}});
  ASSERT_TRUE(answer) << answer.error().what();
  EXPECT_EQ(dump(*answer), R"({"a":1})");
  const auto requests = fake.requests();
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].method, "POST");
  EXPECT_EQ(requests[0].segments, (std::vector<std::string>{"sandboxes", "a b/c", "start"}));
  EXPECT_EQ(requests[0].body, R"({"grace_ms":5})");
}

TEST_F(ClientTest, AnErrorKeepsItsCodeMessageAndHint) {
  const auto fake = daemon_saying(http::render(http::Response{
      404, {}, R"({"error":{"code":"not_found","message":"no sandbox named \"x\"","hint":"sandbox ls"}})"}));
  const auto answer = get_sandbox(client(), "x");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code(), Code::kNotFound);
  EXPECT_EQ(answer.error().what(), "no sandbox named \"x\"");
  EXPECT_EQ(answer.error().hint(), "sandbox ls");
}

TEST_F(ClientTest, AnErrorWithoutJsonNamesItsStatus) {
  const auto fake = daemon_saying("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 4\r\n\r\noops");
  const auto answer = client().get({"version"});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().what(), "the daemon answered with status 502");
}

TEST_F(ClientTest, BodiesMayBeSizedChunkedOrLastToTheEnd) {
  for (const char* bytes :
       {"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{\"a\":1}",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{\"a\r\n4;x=y\r\n\":1}\r\n0\r\nT: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"a\":1}"}) {
    const auto fake = daemon_saying(bytes);
    const auto answer = client().get({"version"});
    ASSERT_TRUE(answer) << bytes << answer.error().what();
    EXPECT_EQ(dump(*answer), R"({"a":1})") << bytes;
  }
}

TEST_F(ClientTest, ABodyThatBreaksOffIsAnError) {
  for (const char* bytes :
       {"", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{\"a\":1}",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{\"a\"",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{\"a\r\n"}) {
    const auto fake = daemon_saying(bytes);
    const auto answer = client().get({"version"});
    ASSERT_FALSE(answer) << bytes;
    EXPECT_EQ(answer.error().code(), Code::kUnavailable) << bytes;
  }
}

// Daemons that die of their first requests: these get the bytes, and those that follow a whole answer.
class DyingDaemon {
 public:
  DyingDaemon(const std::string& socket, std::vector<std::string> last_words, http::Response answer)
      : fake_(socket, [this, last_words, answer](const http::Request&) {
          return asks_ < last_words.size() ? last_words[asks_++] : http::render(answer);
        }) {}
  std::vector<http::Request> requests() { return fake_.requests(); }

 private:
  std::size_t asks_ = 0;
  FakeDaemon fake_;
};

std::string key_of(const http::Request& request) {
  return std::string(request.header(wire::RequestKey::kHeader).value_or(""));
}

TEST_F(ClientTest, ARequestWhoseAnswerIsLostIsMadeAgainWithTheSameKey) {
  DyingDaemon fake(directory_ / "socket", {"", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{\"a\""},
                   http::Response{200, {}, R"({"a":1})"});
  const auto answer = client().post({"sandboxes", "box", "exec"}, {{"detach", true}});
  ASSERT_TRUE(answer) << answer.error().what();
  EXPECT_EQ(dump(*answer), R"({"a":1})");
  const auto requests = fake.requests();
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_TRUE(wire::RequestKey::parse(key_of(requests[0])));
  for (const auto& request : requests) {
    EXPECT_EQ(key_of(request), key_of(requests[0]));
    EXPECT_EQ(request.body, requests[0].body);
  }
  ASSERT_TRUE(client().post({"sandboxes", "box", "exec"}, {{"detach", true}}));
  EXPECT_NE(key_of(fake.requests()[3]), key_of(requests[0])) << "another request";
}

TEST_F(ClientTest, AnUpgradeIsAskedForAgainIfNoByteOfAnAnswerHasCome) {
  wire::ExecRequest request;
  request.command = {"true"};
  {
    DyingDaemon fake(directory_ / "socket", {"", ""}, http::Response{101, {{"Upgrade", "sandbox-exec"}}, ""});
    EXPECT_TRUE(open_exec(client(), "box", request));
    ASSERT_EQ(fake.requests().size(), 3u);
    EXPECT_EQ(key_of(fake.requests()[0]), key_of(fake.requests()[2]));
  }
  DyingDaemon fake(directory_ / "socket", {"HTTP/1.1 101 Switch"}, http::Response{101, {}, ""});
  EXPECT_FALSE(open_exec(client(), "box", request)) << "it may run";
  EXPECT_EQ(fake.requests().size(), 1u);
}

TEST_F(ClientTest, ACreationWhoseDaemonDiesIsAskedForAgain) {
  DyingDaemon fake(
      directory_ / "socket",
      {"", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nevent: progress\ndata: {\"step\":\"build\"}\n\n"},
      http::Response{200, {{"Connection", "close"}}, std::string("event: result\ndata: ") + kInfo + "\n\n"});
  const auto made = create_sandbox(client(), {}, [](const Step&) {});
  ASSERT_TRUE(made) << made.error().what();
  EXPECT_EQ(made->name, "box");
  ASSERT_EQ(fake.requests().size(), 3u);
  EXPECT_EQ(key_of(fake.requests()[0]), key_of(fake.requests()[2]));
}

TEST_F(ClientTest, WhatAnEarlierAskHasRemovedIsNoErrorButWhatNeverWasIs) {
  const http::Response gone{404, {}, R"({"error":{"code":"not_found","message":"no sandbox x"}})"};
  {
    DyingDaemon fake(directory_ / "socket", {""}, gone);
    EXPECT_TRUE(remove_sandbox(client(), "x"));
  }
  DyingDaemon fake(directory_ / "socket", {}, gone);
  EXPECT_EQ(remove_sandbox(client(), "x").error().code(), Code::kNotFound);
}

TEST_F(ClientTest, AnErrorOfALaterAskSaysThatItIsOne) {
  DyingDaemon fake(directory_ / "socket", {""},
                   http::Response{409, {}, R"({"error":{"code":"conflict","message":"published already"}})"});
  const auto answer = client().post({"sandboxes", "box", "network", "ports"}, Json::object());
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().what(), "asked again, because no answer came: published already");
}

TEST_F(ClientTest, ADaemonThatDiesOfARequestIsNotAskedForEver) {
  FakeDaemon fake(directory_ / "socket", [](const http::Request&) { return std::string(); });
  for (const auto& failed : {client().get({"version"}), client().post({"reset"}, {})}) {
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code(), Code::kUnavailable);
  }
  EXPECT_EQ(fake.requests().size(), 16u);
}

TEST_F(ClientTest, ALogGoesOnWhereItBrokeOff) {
  FakeDaemon fake(directory_ / "socket", [](const http::Request& request) {
    const bool again = request.parameter("from").has_value();
    return std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nLog-Position: ") + (again ? "13" : "10") +
           "\r\n\r\n3\r\n" + (again ? "two\r\n0\r\n\r\n" : "one\r\n");
  });
  std::string log;
  const auto got =
      client().get_log({"logs"}, {{"tail", "2"}, {"follow", "1"}}, [&](std::string_view bytes) -> Result<> {
        log += bytes;
        return Ok{};
      });
  ASSERT_TRUE(got) << got.error().what();
  EXPECT_EQ(log, "onetwo");
  ASSERT_EQ(fake.requests().size(), 2u);
  EXPECT_EQ(fake.requests()[1].query, (Client::Query{{"follow", "1"}, {"from", "13"}}));
}

TEST_F(ClientTest, EventsThatBreakOffAreToldFromThoseThatEnd) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const auto nothing = [](const StreamEvent&) -> Result<Client::Heard> { return Client::Heard::kSome; };
  for (const bool whole : {false, true}) {
    const auto fake = daemon_saying(head + (whole ? "0\r\n\r\n" : "3\r\n:\n\n\r\n"));
    const auto ended = client().get_for_events({"network", "log"}, {}, nothing);
    ASSERT_TRUE(ended) << ended.error().what();
    EXPECT_EQ(*ended, whole);
  }
}

TEST_F(ClientTest, NobodyThereIsSaidWithTheWayToChangeIt) {
  const auto answer = client().get({"version"});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code(), Code::kUnavailable);
  EXPECT_EQ(answer.error().hint(), "sandbox daemon start");
}

TEST_F(ClientTest, CreationReportsItsStepsAndThenTheSandbox) {
  FakeDaemon fake(directory_ / "socket", [](const http::Request&) {
    return std::string(
               "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n:\n\n"
               "event: progress\ndata: {\"step\":\"build\",\"done\":1,\"total\":2}\n\nevent: result\ndata: ") +
           kInfo + "\n\n";
  });
  std::vector<std::string> steps;
  const auto made = create_sandbox(client(), {}, [&](const Step& step) { steps.push_back(step.name); });
  ASSERT_TRUE(made) << made.error().what();
  EXPECT_EQ(made->name, "box");
  EXPECT_EQ(steps, std::vector<std::string>{"build"});
  EXPECT_EQ(fake.requests()[0].header("Accept"), "text/event-stream");
}

TEST_F(ClientTest, AnErrorInTheMiddleOfTheStepsIsTheError) {
  const auto fake = daemon_saying(
      "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nevent: progress\ndata: {\"step\":\"build\"}\n\n"
      "event: error\ndata: {\"error\":{\"code\":\"conflict\",\"message\":\"taken\"}}\n\n");
  const auto made = create_sandbox(client(), {}, [](const Step&) {});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code(), Code::kConflict);
  EXPECT_EQ(made.error().what(), "taken");
}

TEST_F(ClientTest, StepsWithoutAResultAreAnError) {
  const auto fake =
      daemon_saying("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nevent: progress\ndata: {\"step\":\"build\"}\n\n");
  EXPECT_FALSE(create_sandbox(client(), {}, [](const Step&) {}));
}

TEST_F(ClientTest, AnUpgradeKeepsWhatCameWithTheHead) {
  FakeDaemon fake(directory_ / "socket", [](const http::Request&) {
    return std::string("HTTP/1.1 101 Switching Protocols\r\nUpgrade: sandbox-exec\r\n\r\nfirst bytes");
  });
  wire::ExecRequest request;
  request.command = {"true"};
  auto upgraded = open_exec(client(), "box", request);
  ASSERT_TRUE(upgraded) << upgraded.error().what();
  auto rest = read_all(upgraded->connection, 100);
  ASSERT_TRUE(rest);
  EXPECT_EQ(upgraded->early + *rest, "first bytes");
  EXPECT_EQ(fake.requests()[0].header("Upgrade"), "sandbox-exec");
}

TEST_F(ClientTest, AnAnswerThatIsNoUpgradeIsAnError) {
  const auto fake = daemon_saying(http::render(http::Response{200, {}, "{}"}));
  wire::ExecRequest request;
  request.command = {"true"};
  EXPECT_FALSE(open_exec(client(), "box", request));
}

TEST_F(ClientTest, ADetachedCommandThatCouldNotStartSaysWhy) {
  const auto fake =
      daemon_saying(http::render(http::Response{200, {}, R"({"exit":{"code":127,"error":"x: not found"}})"}));
  wire::ExecRequest request;
  request.command = {"x"};
  request.detach = true;
  const auto exit = exec_detached(client(), "box", request);
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->code, 127);
  EXPECT_EQ(exit->error, "x: not found");
}

TEST_F(ClientTest, AnEmptyNameNeverMeansTheCollection) {
  const auto fake = daemon_saying(http::render(http::Response{200, {}, "{}"}));
  const auto removed = remove_sandbox(client(), "");
  ASSERT_FALSE(removed);
  EXPECT_EQ(removed.error().code(), Code::kInvalid);
}

}  // namespace
}  // namespace sbx::cli
