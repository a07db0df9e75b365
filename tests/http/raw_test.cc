// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "http/raw.h"

#include <gtest/gtest.h>

namespace sbx::http {
namespace {

TEST(RawRequest, KeepsWhatWasSaidInItsOrder) {
  const auto request = parse_raw_request("PUT http://a/?b HTTP/1.0\r\nHost: a\r\nx-One:  1 \r\nX-TWO:\r\n\r\n");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->method, "PUT");
  EXPECT_EQ(request->target, "http://a/?b");
  EXPECT_TRUE(request->is_1_0);
  EXPECT_EQ(request->headers, (Headers{{"Host", "a"}, {"x-One", "1"}, {"X-TWO", ""}}));
}

TEST(RawRequest, IsStrictAboutItsFirstLine) {
  for (const char* line :
       {"", "GET", "GET /", "GET / ", "GET  / HTTP/1.1", "GET /  HTTP/1.1", "GET / HTTP/1.1 ", "GET / http/1.1",
        "GET / HTTP/1.2", "GET / HTTP/2.0", "GET / HTTP/11", "GET / HTTP/1.1x", " GET / HTTP/1.1", "G@T / HTTP/1.1",
        "GET\t/ HTTP/1.1", "GET /\x7f HTTP/1.1", "GET /\xff HTTP/1.1", " / HTTP/1.1"})
    EXPECT_FALSE(parse_raw_request(std::string(line) + "\r\nHost: a\r\n\r\n")) << line;
}

TEST(RawResponse, KeepsStatusAndReason) {
  const auto response = parse_raw_response("HTTP/1.0 404 Not  Found\r\nA: b\r\n\r\n");
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 404);
  EXPECT_EQ(response->reason, "Not  Found");
  EXPECT_TRUE(response->is_1_0);
  EXPECT_TRUE(parse_raw_response("HTTP/1.1 200\r\n\r\n"));
}

TEST(RawResponse, IsStrictAboutItsFirstLine) {
  for (const char* line : {"", "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20", "HTTP/1.1 2000 OK", "HTTP/1.1  200 OK",
                           "HTTP/1.1 +20 OK", "HTTP/1.1 -20 OK", "HTTP/1.1 0x1 OK", "HTTP/1.1 099 OK", "HTTP/2 200 OK",
                           "http/1.1 200 OK", "HTTP/1.1 200OK", "HTTP/1.1 200 O\x01K"})
    EXPECT_FALSE(parse_raw_response(std::string(line) + "\r\n\r\n")) << line;
}

TEST(HasToken, LooksIntoListsWithoutCase) {
  const Headers headers = {{"Connection", "keep-alive , UPGRADE"}, {"Connection", "x"}};
  EXPECT_TRUE(has_token(headers, "connection", "upgrade"));
  EXPECT_TRUE(has_token(headers, "Connection", "X"));
  EXPECT_FALSE(has_token(headers, "Connection", "up"));
}

}  // namespace
}  // namespace sbx::http
