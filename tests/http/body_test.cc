// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "http/body.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sbx::http {
namespace {

using namespace std::string_literals;

struct Decoded {
  std::string data;
  std::string rest;  // what is not the body's
  bool done = false;
  bool refused = false;
};

// As a connection would: pieces of `size` bytes, with what was left over before them.
Decoded decode(BodyDecoder body, std::string_view bytes, std::size_t size) {
  Decoded decoded;
  while (!bytes.empty()) {
    decoded.rest += bytes.substr(0, size);
    bytes.remove_prefix(std::min(size, bytes.size()));
    for (;;) {
      const auto step = body.step(decoded.rest);
      if (!step) {
        decoded.refused = true;
        return decoded;
      }
      decoded.data += step->data;
      if (step->consumed == 0) break;
      decoded.rest.erase(0, step->consumed);
    }
  }
  decoded.done = body.done();
  return decoded;
}

TEST(BodyDecoder, OfALengthTakesThatAndNoMore) {
  for (const std::size_t size : {1, 3, 100}) {
    const Decoded decoded = decode(BodyDecoder::of_length(5), "helloGET /", size);
    EXPECT_TRUE(decoded.done);
    EXPECT_EQ(decoded.data, "hello");
    EXPECT_EQ(decoded.rest, "GET /");
  }
  EXPECT_TRUE(BodyDecoder::none().done());
  EXPECT_TRUE(BodyDecoder::of_length(0).done());
}

TEST(BodyDecoder, UntilCloseIsNeverDone) {
  const Decoded decoded = decode(BodyDecoder::until_close(), "hello", 2);
  EXPECT_FALSE(decoded.done);
  EXPECT_EQ(decoded.data, "hello");
  EXPECT_TRUE(BodyDecoder::until_close().ends_by_close());
}

TEST(BodyDecoder, OfChunksFindsTheDataInPiecesOfAnySize) {
  for (std::size_t size = 1; size < 60; ++size) {
    const Decoded decoded =
        decode(BodyDecoder::chunked(), "5;a=b\r\nhello\r\n00A\r\n0123456789\r\n0\r\nX: 1\r\n\r\nGET /", size);
    EXPECT_TRUE(decoded.done) << size;
    EXPECT_EQ(decoded.data, "hello0123456789");
    EXPECT_EQ(decoded.rest, "GET /");
  }
}

TEST(BodyDecoder, KeepsTrailers) {
  BodyDecoder body = BodyDecoder::chunked();
  std::string_view bytes = "0\r\nX-Sum: 1\r\nX-More: 2\r\n\r\n";
  while (!body.done()) bytes.remove_prefix(body.step(bytes)->consumed);
  EXPECT_EQ(body.trailers(), (Headers{{"X-Sum", "1"}, {"X-More", "2"}}));
}

TEST(BodyDecoder, RefusesWhatTwoReadersCouldReadInTwoWays) {
  for (const std::string& bytes : {"g\r\n"s,
                                   "\r\n"s,
                                   "+1\r\nx"s,
                                   "-1\r\n"s,
                                   "0x1\r\nx"s,
                                   " 1\r\nx"s,
                                   "1 \r\nx"s,
                                   "1\nx"s,
                                   "1\rx"s,
                                   "1;a\nb\r\nx"s,
                                   "1;\0\r\nx"s,
                                   "1\r\nxy"s,
                                   "1\r\nx\n"s,
                                   "10000000000000000\r\n"s,
                                   "ffffffffffffffffffff\r\n"s,
                                   "1;" + std::string(300, 'a'),
                                   "0\r\nContent-Length: 1\r\n\r\n"s,
                                   "0\r\nTransfer-Encoding: chunked\r\n\r\n"s,
                                   "0\r\nHost: a\r\n\r\n"s,
                                   "0\r\nConnection: a\r\n\r\n"s,
                                   "0\r\nProxy-Authorization: a\r\n\r\n"s,
                                   "0\r\n a: b\r\n\r\n"s,
                                   "0\r\na : b\r\n\r\n"s,
                                   "0\r\na: b\nc: d\r\n\r\n"s,
                                   "0\r\nX: " + std::string(40u << 10, 'x')})
    for (const std::size_t size : {std::size_t{1}, bytes.size()})
      EXPECT_TRUE(decode(BodyDecoder::chunked(), bytes, size).refused) << bytes.substr(0, 40) << " " << size;
}

TEST(BodyDecoder, ReadsWhatItsOwnSideWrites) {
  const std::string bytes = chunk("hello") + chunk(std::string(300, 'x')) + last_chunk({{"X-Sum", "1"}});
  const Decoded decoded = decode(BodyDecoder::chunked(), bytes, 7);
  EXPECT_TRUE(decoded.done);
  EXPECT_EQ(decoded.data, "hello" + std::string(300, 'x'));
}

}  // namespace
}  // namespace sbx::http
