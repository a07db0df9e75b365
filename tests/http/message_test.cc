// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "http/message.h"

#include <gtest/gtest.h>

namespace sbx::http {
namespace {

TEST(Render, ARequestIsReadBackAsItWas) {
  Request request;
  request.method = "PUT";
  request.path = "/a b/%/\xc3\xa4";
  request.query = {{"k&", "v=+ "}, {"empty", ""}};
  request.headers = {{"Host", "localhost"}};
  const auto again = parse_request_head(render(request));
  ASSERT_TRUE(again) << again.error().what();
  EXPECT_EQ(again->method, request.method);
  EXPECT_EQ(again->path, request.path);
  EXPECT_EQ(again->query, request.query);
  EXPECT_EQ(again->headers, request.headers);
}

TEST(Render, ASegmentMayHoldASlash) {
  Request request;
  request.method = "GET";
  request.segments = {"sandboxes", "../x"};
  EXPECT_EQ(render(request), "GET /sandboxes/..%2Fx HTTP/1.1\r\n\r\n");
}

TEST(Render, ABodyHasItsLength) {
  Request request;
  request.method = "POST";
  request.path = "/vm";
  request.body = "{}";
  EXPECT_EQ(render(request), "POST /vm HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}");
  EXPECT_EQ(render(Response{404, {}, "no"}), "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno");
}

TEST(Render, AResponseWithoutABodySaysSoUnlessItStreams) {
  EXPECT_EQ(render(Response{200, {}, ""}), "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(render(Response{204, {}, ""}), "HTTP/1.1 204 No Content\r\n\r\n");
  EXPECT_EQ(render(Response{101, {{"Upgrade", "x"}}, ""}), "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n");
  EXPECT_EQ(render(Response{200, {{"Connection", "close"}}, ""}), "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(render(Response{400, {{"Connection", "close"}}, "no"}),
            "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno");
}

TEST(PercentEncode, LeavesOnlyTheUnreserved) {
  EXPECT_EQ(percent_encode("aZ09-._~"), "aZ09-._~");
  EXPECT_EQ(percent_encode("a/b c%\xff"), "a%2Fb%20c%25%FF");
}

TEST(Reason, IsKnownForEveryStatusThatWeSend) {
  for (const int status : {101, 200, 201, 204, 400, 403, 404, 405, 408, 409, 411, 413, 426, 500, 503, 504})
    EXPECT_NE(reason(status), "Unknown") << status;
}

}  // namespace
}  // namespace sbx::http
