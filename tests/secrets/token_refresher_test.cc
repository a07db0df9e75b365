// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/token_refresher.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <thread>

#include "base/file.h"
#include "base/json.h"
#include "support/small_disk.h"
#include "support/temporary_directory.h"

namespace sbx::secrets {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using Which = TokenRefresher::Which;

// An endpoint whose refresh tokens work once, as the real ones'.
class Endpoint {
 public:
  TokenAnswer answer(const TokenEndpoint& endpoint, const OAuthRecord& record) {
    ++asked;
    host = endpoint.host;
    if (during) during();
    if (next.status != 0 || !next.why.empty()) return next;
    if (record.refresh_token != "r" + std::to_string(generation))
      return {400, true, R"({"error":"invalid_grant"})", ""};
    ++generation;
    const std::string number = std::to_string(generation);
    return {200, true,
            dump(Json{{"access_token", "a" + number}, {"refresh_token", "r" + number}, {"expires_in", life}}), ""};
  }

  int asked = 0;
  int generation = 1;
  std::int64_t life = 28800;
  std::string host;
  TokenAnswer next;  // in place of tokens
  std::function<void()> during;
};

class TokenRefresherTest : public ::testing::Test {
 protected:
  TokenRefresherTest() { ::unsetenv("DBUS_SESSION_BUS_ADDRESS"); }

  std::string login(WallTime expires_at, const std::string& number = "1") const {
    return dump(Json{{"claudeAiOauth",
                      {{"accessToken", "a" + number},
                       {"refreshToken", "r" + number},
                       {"expiresAt", microseconds_of(expires_at) / 1000}}}});
  }
  void add(const std::string& value) { ASSERT_TRUE(store.add({"claude", value, true}, "")); }
  Json kept() { return (*parse_json(store.contents()->values.at("claude")->view()))["claudeAiOauth"]; }
  RefreshNote note() { return store.contents()->ledger.secrets.front().refresh; }
  wire::SecretInfo listed() { return store.list()->secrets.front(); }
  wire::AuditEntry last_line() { return store.audit(1)->entries.back(); }

  const testing::TemporaryDirectory directory;
  WallTime time{seconds(1'800'000'000)};
  Endpoint endpoint;
  SecretStore store{directory / "secrets", [this] { return time; }};
  TokenRefresher refresher{store, [this] { return time; },
                           [this](const auto& where, const auto& what) { return endpoint.answer(where, what); }};
};

TEST_F(TokenRefresherTest, WaitsUntilShortlyBeforeTheEnd) {
  add(login(time + hours(1)));
  const auto round = refresher.refresh(Which::kDue);
  EXPECT_FALSE(round.changed);
  EXPECT_EQ(round.next, time + hours(1) - kRefreshMargin);
  EXPECT_EQ(endpoint.asked, 0);
}

TEST_F(TokenRefresherTest, KeepsTheNewPairAndAsksAgainForTheNext) {
  add(login(time + minutes(9)));
  const auto round = refresher.refresh(Which::kDue);
  EXPECT_TRUE(round.changed);
  EXPECT_EQ(endpoint.host, "platform.claude.com");
  EXPECT_EQ(kept()["accessToken"], "a2");
  EXPECT_EQ(kept()["refreshToken"], "r2");
  EXPECT_EQ(round.next, time + hours(8) - kRefreshMargin);
  EXPECT_EQ(listed().token_expires_at, rfc3339(time + hours(8)));
  EXPECT_EQ(last_line().details, "has new tokens");
  time += hours(8) - minutes(5);
  EXPECT_TRUE(refresher.refresh(Which::kDue).changed);
  EXPECT_EQ(kept()["refreshToken"], "r3");
  EXPECT_TRUE(store.verify()->intact);
}

TEST_F(TokenRefresherTest, SaysOnceWhyAStoreCannotBeRead) {
  const auto said = [&] {
    ::testing::internal::CaptureStderr();
    refresher.refresh(Which::kDue);
    refresher.refresh(Which::kExpired);
    const std::string lines = ::testing::internal::GetCapturedStderr();
    return std::ranges::count(lines, '\n');
  };
  add(login(time + hours(1)));
  const std::string path = directory / "secrets";
  EXPECT_EQ(said(), 0);
  ASSERT_EQ(::chmod(path.c_str(), 0755), 0);
  EXPECT_EQ(said(), 1);
  EXPECT_EQ(said(), 0);
  ASSERT_EQ(::chmod(path.c_str(), 0700), 0);
  EXPECT_EQ(said(), 0);
  ASSERT_EQ(::chmod(path.c_str(), 0755), 0);
  EXPECT_EQ(said(), 1) << "it was mended in between";
}

TEST_F(TokenRefresherTest, HasNotedThatATokenIsUsedBeforeItIs) {
  add(login(time + minutes(1)));
  endpoint.during = [&] { EXPECT_EQ(note().begun_at, rfc3339(time)); };
  refresher.refresh(Which::kDue);
  EXPECT_EQ(endpoint.asked, 1);
  EXPECT_EQ(note().begun_at, "");
}

TEST_F(TokenRefresherTest, DoesNotReplaceATokenInTheFirstHalfOfItsLife) {
  add(login(time + minutes(1)));
  endpoint.life = 60;
  EXPECT_EQ(refresher.refresh(Which::kDue).next, time + seconds(30));
  EXPECT_FALSE(refresher.refresh(Which::kDue).changed);
  EXPECT_EQ(endpoint.asked, 1);
}

TEST_F(TokenRefresherTest, RefreshesForAUserOnlyWhatHasExpired) {
  add(login(time + minutes(1)));
  EXPECT_FALSE(refresher.refresh(Which::kExpired).changed);
  time += minutes(2);
  EXPECT_TRUE(refresher.refresh(Which::kExpired).changed);
  EXPECT_EQ(kept()["accessToken"], "a2");
}

TEST_F(TokenRefresherTest, NeverUsesATokenTwiceHoweverManyAsk) {
  add(login(time - seconds(1)));
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] { refresher.refresh(i % 2 == 0 ? Which::kDue : Which::kExpired); });
  threads.clear();
  EXPECT_EQ(endpoint.asked, 1);
  EXPECT_EQ(kept()["refreshToken"], "r2");
}

TEST_F(TokenRefresherTest, WaitsLongerAfterEachFailureAndKeepsTheOldToken) {
  add(login(time + minutes(9)));
  endpoint.next = {0, false, "", "Could not resolve host"};
  EXPECT_EQ(refresher.refresh(Which::kDue).next, time + seconds(30));
  EXPECT_EQ(kept()["accessToken"], "a1");
  EXPECT_EQ(listed().refresh_problem, "Could not resolve host");
  EXPECT_EQ(store.status().problems, std::vector<std::string>{"claude: Could not resolve host"});
  EXPECT_FALSE(last_line().success);
  EXPECT_FALSE(refresher.refresh(Which::kDue).changed);
  time += seconds(30);
  EXPECT_EQ(refresher.refresh(Which::kDue).next, time + seconds(60));
  for (int i = 0; i < 20; ++i) {
    time += hours(1);
    refresher.refresh(Which::kDue);
  }
  EXPECT_EQ(refresher.refresh(Which::kDue).next, time + minutes(16));
  time += minutes(16);
  endpoint.next = {};
  EXPECT_TRUE(refresher.refresh(Which::kDue).changed);
  EXPECT_EQ(listed().refresh_problem, "");
  EXPECT_EQ(note().failures, 0);
}

TEST_F(TokenRefresherTest, TriesAgainAfterAServersErrorAndSaysItsWord) {
  add(login(time + minutes(9)));
  endpoint.next = {529, true, R"({"error":{"code":"overloaded"}})", ""};
  EXPECT_EQ(refresher.refresh(Which::kDue).next, time + seconds(30));
  EXPECT_EQ(listed().refresh_problem, "HTTP 529, overloaded");
}

TEST_F(TokenRefresherTest, DoesNotAskAgainWithALoginThatWasRefusedUntilThereIsAnother) {
  add(login(time + minutes(9), "0"));
  EXPECT_EQ(refresher.refresh(Which::kDue).next, std::nullopt);
  EXPECT_EQ(listed().refresh_problem, "the login was refused: HTTP 400, invalid_grant");
  time += hours(100);
  EXPECT_FALSE(refresher.refresh(Which::kDue).changed);
  EXPECT_EQ(endpoint.asked, 1);
  add(login(time + minutes(9)));
  EXPECT_TRUE(refresher.refresh(Which::kDue).changed);
  EXPECT_EQ(kept()["accessToken"], "a2");
}

TEST_F(TokenRefresherTest, ShowsNoWordOfAnAnswerThatIsMoreThanAWord) {
  add(login(time + minutes(9)));
  endpoint.next = {400, true, R"({"error":"\u001b[31mrun this"})", ""};
  refresher.refresh(Which::kDue);
  EXPECT_EQ(listed().refresh_problem, "the login was refused: HTTP 400");
}

// The endpoint takes a token that comes twice for a stolen one.
TEST_F(TokenRefresherTest, DoesNotSendATokenAgainThatMayBeUsedUpWhileTheOldOneWorks) {
  for (const TokenAnswer& lost : {TokenAnswer{0, true, "", "timed out"}, TokenAnswer{200, true, "<html>", ""}}) {
    add(login(time + minutes(9)));
    endpoint.next = lost;
    EXPECT_EQ(refresher.refresh(Which::kDue).next, time + minutes(9));
    EXPECT_NE(listed().refresh_problem.find("lost"), std::string::npos);
    endpoint.next = {};
  }
}

TEST_F(TokenRefresherTest, SaysWhatADaemonLostThatDiedInARefresh) {
  add(login(time + minutes(9)));
  const WallTime begun = time;
  endpoint.during = [&] {
    SecretStore next(directory / "secrets", [&] { return time; });
    TokenRefresher after(
        next, [&] { return time; }, [&](const auto&, const auto&) { return TokenAnswer{}; });
    EXPECT_EQ(after.refresh(Which::kDue).next, begun + minutes(9));
    EXPECT_NE(next.status().problems.at(0).find("the daemon ended meanwhile"), std::string::npos);
  };
  refresher.refresh(Which::kDue);
}

TEST_F(TokenRefresherTest, LeavesWhatTheUserHasStoredMeanwhile) {
  add(login(time + minutes(9)));
  endpoint.during = [&] { add(login(time + hours(5), "other")); };
  refresher.refresh(Which::kDue);
  EXPECT_EQ(kept()["refreshToken"], "rother");
  add(login(time + minutes(9), "2"));
  endpoint.during = [&] { ASSERT_TRUE(store.remove("claude")); };
  refresher.refresh(Which::kDue);
  EXPECT_TRUE(store.list()->secrets.empty());
}

TEST_F(TokenRefresherTest, UsesNoTokenUpWhileTheDiskIsFullAndKeepsOneThatCameWhenItFilled) {
  ASSERT_TRUE(make_directories(directory / "secrets", 0700));
  const testing::SmallDisk disk(directory / "secrets", 256u << 10);
  if (!disk.mounted()) GTEST_SKIP() << "no file system of the test's own: not root, or no mount namespace";
  ASSERT_EQ(::chmod((directory / "secrets").c_str(), 0700), 0);
  add(login(time + minutes(9)));
  disk.fill();
  refresher.refresh(Which::kDue);
  EXPECT_EQ(endpoint.asked, 0);
  disk.give_back();
  endpoint.during = [&] { disk.fill(); };
  EXPECT_EQ(refresher.refresh(Which::kDue).next, time + seconds(5));
  EXPECT_EQ(kept()["refreshToken"], "r1");
  disk.give_back();
  EXPECT_TRUE(refresher.refresh(Which::kDue).changed);
  EXPECT_EQ(kept()["refreshToken"], "r2");
  EXPECT_EQ(endpoint.asked, 1);
}

TEST_F(TokenRefresherTest, AsksNothingForWhatCannotBeRefreshed) {
  for (const char* value : {"sk-ant-oat01-x", R"({"claudeAiOauth":{"accessToken":"a","expiresAt":1}})",
                            R"({"claudeAiOauth":{"accessToken":"a","refreshToken":"r"}})"}) {
    add(value);
    EXPECT_EQ(refresher.refresh(Which::kDue).next, std::nullopt) << value;
  }
  EXPECT_EQ(endpoint.asked, 0);
}

TEST_F(TokenRefresherTest, HandsOutNoRefreshToken) {
  add(login(time + hours(1)));
  const auto leased = store.lease("claude", {});
  EXPECT_NE(leased->value.find("a1"), std::string::npos);
  EXPECT_EQ(leased->value.find("r1"), std::string::npos);
}

}  // namespace
}  // namespace sbx::secrets
