// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "http/message.h"

namespace sbx::http {
namespace {

using namespace std::string_literals;

struct HostileHead {
  const char* what;
  std::string head;
};

std::string with_header(const std::string& line) { return "GET / HTTP/1.1\r\n" + line + "\r\n\r\n"; }

const HostileHead kHostileHeads[] = {
    {"empty", ""},
    {"only a blank line", "\r\n"},
    {"blank line first", "\r\nGET / HTTP/1.1\r\n\r\n"},
    {"no end", "GET / HTTP/1.1\r\nA: b\r\n"},
    {"bytes after the end", "GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n"},
    {"bare LF", "GET / HTTP/1.1\n\n"},
    {"bare LF in a header", with_header("A: b\nC: d")},
    {"bare CR", with_header("A: b\rC: d")},
    {"two spaces", "GET  / HTTP/1.1\r\n\r\n"},
    {"trailing space", "GET / HTTP/1.1 \r\n\r\n"},
    {"tab for space", "GET\t/\tHTTP/1.1\r\n\r\n"},
    {"no version", "GET /\r\n\r\n"},
    {"HTTP/0.9", "GET / HTTP/0.9\r\n\r\n"},
    {"HTTP/1.0", "GET / HTTP/1.0\r\n\r\n"},
    {"HTTP/2", "PRI * HTTP/2.0\r\n\r\n"},
    {"lower-case version", "GET / http/1.1\r\n\r\n"},
    {"method with a colon", "GE:T / HTTP/1.1\r\n\r\n"},
    {"no method", " / HTTP/1.1\r\n\r\n"},
    {"target without a slash", "GET vm HTTP/1.1\r\n\r\n"},
    {"absolute target", "GET http://x/vm HTTP/1.1\r\n\r\n"},
    {"asterisk", "OPTIONS * HTTP/1.1\r\n\r\n"},
    {"fragment", "GET /vm#x HTTP/1.1\r\n\r\n"},
    {"raw UTF-8 in the target", "GET /\xc3\xa4 HTTP/1.1\r\n\r\n"},
    {"NUL in the target", "GET /a\0b HTTP/1.1\r\n\r\n"s},
    {"escape cut off", "GET /%4 HTTP/1.1\r\n\r\n"},
    {"lone percent", "GET /% HTTP/1.1\r\n\r\n"},
    {"escape not hexadecimal", "GET /%zz HTTP/1.1\r\n\r\n"},
    {"escaped sign", "GET /%+1 HTTP/1.1\r\n\r\n"},
    {"escaped NUL", "GET /%00 HTTP/1.1\r\n\r\n"},
    {"escaped CR", "GET /%0d HTTP/1.1\r\n\r\n"},
    {"escaped NUL in the query", "GET /?a=%00 HTTP/1.1\r\n\r\n"},
    {"bad escape in a query name", "GET /?%=1 HTTP/1.1\r\n\r\n"},
    {"space before the colon", with_header("Host : x")},
    {"space before the name", with_header(" Host: x")},
    {"folded line", with_header("A: b\r\n c")},
    {"no colon", with_header("Host")},
    {"no name", with_header(": x")},
    {"name with a quote", with_header("\"A\": x")},
    {"control character in a value", with_header("A: b\x01")},
    {"NUL in a value", with_header("A: b\0c"s)},
    {"DEL in a value", with_header("A: \x7f")},
    {"two Hosts", with_header("Host: a\r\nhost: b")},
    {"two Content-Lengths", with_header("Content-Length: 1\r\ncontent-length: 1")},
    {"Content-Length list", with_header("Content-Length: 1, 1")},
    {"signed Content-Length", with_header("Content-Length: +1")},
    {"negative Content-Length", with_header("Content-Length: -1")},
    {"hexadecimal Content-Length", with_header("Content-Length: 0x10")},
    {"empty Content-Length", with_header("Content-Length:")},
    {"huge Content-Length", with_header("Content-Length: 18446744073709551616")},
    {"both lengths", with_header("Content-Length: 1\r\nTransfer-Encoding: chunked")},
    {"gzip", with_header("Transfer-Encoding: gzip, chunked")},
    {"identity", with_header("Transfer-Encoding: identity")},
    {"two Transfer-Encodings", with_header("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked")},
};

TEST(Parse, RefusesHostileRequestHeads) {
  for (const auto& [what, head] : kHostileHeads) EXPECT_FALSE(parse_request_head(head)) << what;
}

TEST(Parse, RefusesHostileHeadersInResponsesToo) {
  for (const auto& [what, head] : kHostileHeads) {
    if (!head.starts_with("GET / HTTP/1.1\r\n") || head.ends_with("HTTP/1.1\r\n\r\n")) continue;
    EXPECT_FALSE(parse_response_head("HTTP/1.1 200 OK\r\n" + head.substr(16))) << what;
  }
}

TEST(Parse, RefusesHostileStatusLines) {
  for (const char* line :
       {"HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20", "HTTP/1.1 2000 OK", "HTTP/1.1 +20 OK", "HTTP/1.1 099 X",
        "HTTP/1.1 600 X", "HTTP/1.0 200 OK", "HTTP/1.1  200 OK", "200 OK", "HTTP/1.1 200 O\x01K", "HTTP/1.1 200OK"})
    EXPECT_FALSE(parse_response_head(line + "\r\n\r\n"s)) << line;
}

TEST(Parse, ReadsARequest) {
  const auto request = parse_request_head(
      "POST /sandboxes/a%20b/logs?tail=10&follow&x=%2B+y HTTP/1.1\r\nHost: x\r\nX-Odd:\t v \r\nEmpty:\r\n\r\n");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->method, "POST");
  EXPECT_EQ(request->path, "/sandboxes/a b/logs");
  EXPECT_EQ(request->parameter("tail"), "10");
  EXPECT_EQ(request->parameter("follow"), "");
  EXPECT_EQ(request->parameter("x"), "+ y");
  EXPECT_FALSE(request->parameter("none"));
  EXPECT_EQ(request->header("x-oDD"), "v");
  EXPECT_EQ(request->header("empty"), "");
  EXPECT_FALSE(request->header("none"));
}

TEST(Parse, AnEncodedSlashDoesNotSplitASegment) {
  const auto request = parse_request_head("GET /sandboxes/..%2Fx HTTP/1.1\r\n\r\n");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->segments, (std::vector<std::string>{"sandboxes", "../x"}));
}

TEST(Parse, ReadsAResponse) {
  const auto response = parse_response_head("HTTP/1.1 404 Not Found\r\nContent-Length: 12\r\n\r\n");
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 404);
  EXPECT_EQ(body_length(response->headers)->bytes, 12u);
  EXPECT_TRUE(parse_response_head("HTTP/1.1 200\r\n\r\n"));
}

TEST(Parse, RefusesMoreThanAHundredHeaders) {
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += "A: b\r\n";
  EXPECT_TRUE(parse_request_head("GET / HTTP/1.1\r\n" + lines + "\r\n"));
  const auto refused = parse_request_head("GET / HTTP/1.1\r\n" + lines + "A: b\r\n\r\n");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kTooLarge);
}

TEST(HeadLength, WaitsForTheBlankLine) {
  const std::string head = "GET / HTTP/1.1\r\nA: b\r\n\r\n";
  for (std::size_t n = 0; n < head.size(); ++n) {
    const auto length = head_length(std::string_view(head).substr(0, n));
    ASSERT_TRUE(length) << n;
    EXPECT_FALSE(*length) << n;
  }
  EXPECT_EQ(*head_length(head), head.size());
  EXPECT_EQ(*head_length(head + "body\n\n"), head.size());
}

TEST(HeadLength, FailsAtOnceOnABareLineFeed) { EXPECT_FALSE(head_length("GET / HTTP/1.1\nA")); }

TEST(HeadLength, FailsWhenTheHeadIsTooLong) {
  const std::string start = "GET / HTTP/1.1\r\nA: ";
  const auto refused = head_length(start + std::string(kLargestHead, 'x'));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kTooLarge);
  const std::string largest = start + std::string(kLargestHead - start.size() - 4, 'x') + "\r\n\r\n";
  ASSERT_TRUE(head_length(largest));
  EXPECT_EQ(*head_length(largest), kLargestHead);
}

TEST(BodyLength, TellsChunkedFromUnstated) {
  EXPECT_TRUE(body_length({{"transfer-encoding", "Chunked"}})->chunked);
  EXPECT_FALSE(body_length({})->bytes);
  EXPECT_EQ(body_length({{"Content-Length", "0"}})->bytes, 0u);
}

}  // namespace
}  // namespace sbx::http
