// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "exchange/exec_stream.h"

#include <gtest/gtest.h>

namespace sbx::exchange {
namespace {

std::string frame(wire::Kind kind, const std::string& payload) {
  const auto head = wire::encode(wire::Header{static_cast<std::uint32_t>(payload.size()), wire::kClientStream, kind});
  return std::string(head.data(), head.size()) + payload;
}

// A command that has printed so many times a thousand bytes and ended well.
ExecStream printed(int times) {
  std::string frames;
  for (int i = 0; i < times; ++i) frames += frame(wire::Kind::kOut, std::string(1000, 'x'));
  SocketPair pair = make_socket_pair().value();
  EXPECT_TRUE(write_all(pair.theirs, frames + frame(wire::Kind::kExit, R"({"code":0})")));
  return ExecStream({std::move(pair.ours), ""});
}

TEST(ExecStream, ItsOutputIsReadWhole) {
  EXPECT_EQ(printed(3).read_all(3000)->size(), 3000u);
  EXPECT_EQ(*printed(0).read_all(3000), "");
}

TEST(ExecStream, ItsOutputFitsIntoBuffersOfAnySize) {
  ExecStream stream = printed(2);
  std::string all;
  char buffer[300];
  for (;;) {
    const auto n = stream.read(std::span(buffer));
    ASSERT_TRUE(n) << n.error().what();
    if (*n == 0) break;
    all.append(buffer, *n);
  }
  EXPECT_EQ(all, std::string(2000, 'x'));
}

TEST(ExecStream, AGuestThatPrintsWithoutEndFillsNoMemory) {
  EXPECT_EQ(printed(4).read_all(3000).error().code(), Code::kTooLarge);
}

}  // namespace
}  // namespace sbx::exchange
