// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/http1_codec.h"

#include <gtest/gtest.h>

namespace sbx::proxy {
namespace {

using http::Headers;

Http1Request request_of(const std::string& bytes) { return *read_request(bytes); }
Http1Request get() { return request_of("GET / HTTP/1.1\r\nHost: a\r\n\r\n"); }

TEST(Http1Request, OfAnAbsoluteUriNamesTheHostTwice) {
  const auto request = request_of("GET HTTPS://b:1?x HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n");
  EXPECT_EQ(request.head.scheme, "https");
  EXPECT_EQ(request.head.authority, "a");
  EXPECT_EQ(request.head.second_authority, "b:1");
  EXPECT_EQ(request.head.path, "/?x");
  EXPECT_EQ(request.head.fields, (Headers{{"X", "y"}}));
}

TEST(Http1Request, HasNoFieldThatSaysWhereItEndsOrGoes) {
  const auto with_length = request_of("PUT / HTTP/1.1\r\nContent-Length: 05\r\nX: y\r\nhost: a\r\n\r\n");
  EXPECT_EQ(with_length.head.fields, (Headers{{"X", "y"}}));
  EXPECT_EQ(write(with_length), "PUT / HTTP/1.1\r\nHost: a\r\nX: y\r\nContent-Length: 5\r\n\r\n");
  const auto in_chunks = request_of("PUT / HTTP/1.1\r\nTransfer-Encoding: CHUNKED\r\nHost: a\r\n\r\n");
  EXPECT_TRUE(in_chunks.chunked && in_chunks.head.fields.empty());
  EXPECT_EQ(write(in_chunks), "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
}

TEST(Http1Request, KeepsWhatAHopMaySayToTheNext) {
  auto request = request_of(
      "GET / HTTP/1.1\r\nHost: a\r\nTE: gzip, trailers\r\nConnection: TE, Upgrade\r\nUpgrade: websocket\r\n\r\n");
  EXPECT_TRUE(request.head.takes_trailers && request.head.wants_websocket);
  request.head.fields.clear();
  EXPECT_EQ(write(request),
            "GET / HTTP/1.1\r\nHost: a\r\nTE: trailers\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  request.head.wants_websocket = false;
  EXPECT_EQ(write(request), "GET / HTTP/1.1\r\nHost: a\r\nTE: trailers\r\nConnection: TE\r\n\r\n");
}

TEST(Http1Request, IsTheLastOfHttp10AndWhenItSaysSo) {
  EXPECT_FALSE(get().is_last);
  EXPECT_TRUE(request_of("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n\r\n").is_last);
  EXPECT_TRUE(request_of("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").is_last);
}

TEST(Http1Request, WithoutAUriIsNotForAForwardProxy) {
  EXPECT_FALSE(uri_target(get().head));
  EXPECT_FALSE(uri_target(request_of("GET https://a/ HTTP/1.1\r\nHost: a\r\n\r\n").head));
  EXPECT_EQ(uri_target(request_of("GET http://a:81/ HTTP/1.1\r\nHost: a\r\n\r\n").head)->text(), "a:81");
}

TEST(Http1Response, EndsAsItCameOrInChunks) {
  const auto by_close = read_response(get(), "HTTP/1.0 200 OK\r\nX: y\r\n\r\n");
  EXPECT_TRUE(by_close->body.ends_by_close() && by_close->chunked && !by_close->server_stays);
  EXPECT_EQ(write(*by_close), "HTTP/1.1 200 OK\r\nX: y\r\nTransfer-Encoding: chunked\r\n\r\n");
  const auto of_length = read_response(get(), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: y\r\n\r\n");
  EXPECT_FALSE(of_length->chunked);
  EXPECT_EQ(write(*of_length), "HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 5\r\n\r\n");
}

TEST(Http1Response, ToHeadSaysWhatWouldFollow) {
  const auto request = request_of("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
  const auto response = read_response(request, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
  EXPECT_TRUE(response->body.done() && !response->chunked);
  EXPECT_EQ(write(*response), "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
}

TEST(Http1Response, ThatIsInterimDoesNotClose) {
  const auto request = request_of("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(write(*read_response(request, "HTTP/1.1 103 Hints\r\n\r\n")), "HTTP/1.1 103 Hints\r\n\r\n");
  EXPECT_EQ(write(*read_response(request, "HTTP/1.1 204 None\r\n\r\n")),
            "HTTP/1.1 204 None\r\nConnection: close\r\n\r\n");
}

}  // namespace
}  // namespace sbx::proxy
