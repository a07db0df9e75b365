// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/http2_codec.h"

#include <gtest/gtest.h>

namespace sbx::proxy {
namespace {

using http::Headers;

TEST(Http2Request, IsReadAndWritten) {
  const Headers fields = {{":method", "PUT"}, {":scheme", "https"}, {":authority", "a"},     {":path", "/"},
                          {"x", "y"},         {"x", "z"},           {"content-length", "5"}, {"te", "trailers"}};
  const http::RequestHead head = read_request(fields);
  EXPECT_EQ(head.fields, (Headers{{"x", "y"}, {"x", "z"}}));
  EXPECT_EQ(head.length, 5u);
  EXPECT_EQ(write(head), fields);
}

TEST(Http2Request, MayNameItsHostTwiceOrAsHttp1Does) {
  const http::RequestHead both = read_request(Headers{{":authority", "a"}, {"host", "b"}});
  EXPECT_EQ(both.authority, "a");
  EXPECT_EQ(both.second_authority, "b");
  const http::RequestHead host = read_request(Headers{{"host", "b"}});
  EXPECT_EQ(host.authority, "b");
  EXPECT_EQ(host.second_authority, std::nullopt);
}

TEST(Http2Response, IsReadAndWritten) {
  const Headers fields = {{":status", "206"}, {"x", "y"}, {"content-length", "5"}};
  const http::ResponseHead head = read_response(fields);
  EXPECT_EQ(head.status, 206);
  EXPECT_EQ(write(head), fields);
}

}  // namespace
}  // namespace sbx::proxy
