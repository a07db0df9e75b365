// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/loops/turn_stream.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "base/socket.h"

namespace sbx::cli {
namespace {

using agentloop::TurnEnd;

// A guest that reads nothing, says nothing and ends nothing.
class SilentGuest : public ::testing::Test {
 protected:
  Result<agentloop::TurnResult> follow(const agentloop::Turn& turn, bool cancelled) {
    exchange::ExecStream stream({std::move(pair_.ours), ""});
    const auto ignore = [](bool, std::string_view) {};
    return TurnStream(std::move(stream), turn, nullptr, std::chrono::milliseconds(1)).follow(ignore, [cancelled] {
      return cancelled;
    });
  }
  std::string told() {
    std::string got(100, 0);
    got.resize(static_cast<std::size_t>(::read(pair_.theirs.get(), got.data(), got.size())));
    return got;
  }
  static std::string signal(int number) {
    const auto head = wire::encode(wire::Header{1, wire::kClientStream, wire::Kind::kSignal});
    return std::string(head.data(), head.size()) + static_cast<char>(number);
  }

  SocketPair pair_ = make_socket_pair().value();
};

TEST_F(SilentGuest, ThatIgnoresAKillAtItsLimitIsLeft) {
  const auto result = follow({.kept = "", .command = {"x"}, .timeout = std::chrono::milliseconds(1)}, false);
  ASSERT_TRUE(result) << result.error().what();
  EXPECT_EQ(result->end, TurnEnd::kTimeout);
  EXPECT_NE(result->code, 0);
  EXPECT_EQ(told(), signal(SIGKILL));
}

TEST_F(SilentGuest, ThatIgnoresAKillWhenItIsCancelledIsLeft) {
  const auto result = follow({.kept = "", .command = {"x"}}, true);
  ASSERT_TRUE(result) << result.error().what();
  EXPECT_EQ(result->end, TurnEnd::kCancelled);
  EXPECT_EQ(told(), signal(SIGTERM) + signal(SIGKILL));
}

// What a guest may say of a turn: ralph's line, and how ralph has ended.
struct Said {
  agentloop::TurnResult result;
  bool told;
};
Said said_by_guest(const std::string& line, int code) {
  SocketPair pair = make_socket_pair().value();
  for (const auto& [kind, text] :
       {std::pair{wire::Kind::kErr, line}, {wire::Kind::kExit, R"({"code":)" + std::to_string(code) + "}"}}) {
    const auto head = wire::encode(wire::Header{static_cast<std::uint32_t>(text.size()), wire::kClientStream, kind});
    EXPECT_TRUE(send_all(pair.theirs, std::string(head.data(), head.size()) + text, "say it"));
  }
  const agentloop::Turn turn{.kept = "", .command = {"x"}};
  TurnStream stream(exchange::ExecStream({std::move(pair.ours), ""}), turn);
  const auto result = stream.follow([](bool, std::string_view) {}, [] { return false; });
  EXPECT_TRUE(result) << result.error().what();
  return {result.value_or(agentloop::TurnResult{}), stream.told()};
}
std::string line_with(const std::string& duration) {
  return agentloop::kTurnMark + std::string(R"({"code":3,"end":"exited","duration_ms":)") + duration + "}\n";
}

TEST(TurnStream, TakesTheWordOfARalphThatHasEndedByItself) {
  const Said said = said_by_guest(line_with("7000"), 0);
  EXPECT_TRUE(said.told);
  EXPECT_EQ(said.result.code, 3);
  EXPECT_EQ(said.result.duration_ms, 7000);
}

TEST(TurnStream, DoesNotTakeTheWordOfARalphThatWasKilled) {
  const Said said = said_by_guest(line_with("7000"), 137);
  EXPECT_FALSE(said.told);
  EXPECT_EQ(said.result.code, 137);
}

TEST(TurnStream, NoTurnTakesLessThanNothingOrForever) {
  EXPECT_GE(said_by_guest(line_with("-9223372036854775808"), 0).result.duration_ms, 0);
  EXPECT_LE(said_by_guest(line_with("9223372036854775807"), 0).result.duration_ms, std::int64_t{31} * 86400 * 1000);
}

}  // namespace
}  // namespace sbx::cli
