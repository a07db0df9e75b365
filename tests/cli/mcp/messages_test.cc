// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/messages.h"

#include <gtest/gtest.h>

namespace sbx::cli::mcp {
namespace {

TEST(McpMessage, IsARequestANotificationOrAnAnswer) {
  const auto request = parse_message(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":2}})");
  ASSERT_TRUE(request);
  EXPECT_TRUE(request->is_request());
  EXPECT_EQ(request->parameters["a"], 2);
  const auto notification = parse_message(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  ASSERT_TRUE(notification);
  EXPECT_FALSE(notification->is_request() || notification->is_answer());
  const auto answer = parse_message(R"({"jsonrpc":"2.0","id":"x","result":{"action":"accept"}})");
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->is_answer());
  EXPECT_EQ(answer->result->at("action"), "accept");
}

TEST(McpMessage, IsRefusedInAnyOtherForm) {
  for (const char* line :
       {"", "1", "[]", "{}", R"({"jsonrpc":"1.0","id":1,"method":"ping"})", R"({"jsonrpc":"2.0"})",
        R"({"jsonrpc":"2.0","id":null,"method":"ping"})", R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})",
        R"({"jsonrpc":"2.0","id":1,"method":5})", R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[1]})"})
    EXPECT_FALSE(parse_message(line)) << line;
}

TEST(McpLines, ComeOneByOneAndEndWithTheInput) {
  auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  ASSERT_TRUE(write_all(pipe->write, "one\n\ntwo\nhalf"));
  pipe->write.reset();
  LineReader lines(pipe->read);
  EXPECT_EQ(lines.next().value(), "one");
  EXPECT_EQ(lines.next().value(), "");
  EXPECT_EQ(lines.next().value(), "two");
  EXPECT_EQ(lines.next().value(), std::nullopt) << "a line without its end is none";
}

}  // namespace
}  // namespace sbx::cli::mcp
