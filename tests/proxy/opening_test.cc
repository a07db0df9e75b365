// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/opening.h"

#include <gtest/gtest.h>

#include <string>

namespace sbx::proxy {
namespace {

using namespace std::string_literals;

struct OpeningCase {
  std::string bytes;
  Opening opening;
};

TEST(Opening, IsWhatTheFirstBytesSay) {
  const OpeningCase cases[] = {
      {"", Opening::kUnclear},
      {"\x16", Opening::kUnclear},
      {"\x16\x03", Opening::kTls},
      {"\x16\x03\x01\x02", Opening::kTls},
      {"\x16\x02", Opening::kUnclear},
      {"\x16\x02\x01\x01\x01\x02", Opening::kOther},
      {"\x80\x2e\x01", Opening::kUnclear},
      {"\x80\x2e\x01\x03", Opening::kTls},  // a hello of SSL 2
      {"G", Opening::kUnclear},
      {"GET ", Opening::kUnclear},
      {"GET /", Opening::kHttp},
      {"PROPFIND /", Opening::kHttp},
      {"GET http://a/ HTTP/1.1\r\n", Opening::kHttp},
      {"GET http://a/", Opening::kUnclear},
      {"get x http/1.0\n", Opening::kHttp},
      {"\r\n\r\nGET /", Opening::kHttp},
      {" \t GET /", Opening::kHttp},
      {"GET\t/\tHTTP/1.1", Opening::kHttp},
      {"\0GET / HTTP/1.1"s, Opening::kHttp},
      {"PRI * HTTP/2.0\r\n", Opening::kHttp2},
      {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", Opening::kHttp2},
      {"PRI * HTTP/2.0\r\n\r\nSMTP", Opening::kHttp},
      {"PRI * HTTP/2.1\r\n", Opening::kHttp},
      {"pri * http/2.0\r\n", Opening::kHttp},
      {"\r\nPRI * HTTP/2.0\r\n", Opening::kHttp},
      {"SSH-2.0-OpenSSH_9", Opening::kUnclear},
      {"SSH-2.0-OpenSSH_9\r\n", Opening::kOther},
      {"EHLO me\r\n", Opening::kOther},
      {"\0\0\0\x08"s, Opening::kOther},
      {"\r\n", Opening::kUnclear},
      {std::string(33u << 10, 'x'), Opening::kOther},
      {std::string(33u << 10, '\n'), Opening::kOther},
  };
  for (const auto& [bytes, opening] : cases) EXPECT_EQ(opening_of(bytes), opening) << bytes.substr(0, 40);
}

// Once it is clear it stays what it is, however little has come: otherwise the pieces in which bytes come would decide.
TEST(Opening, DoesNotDependOnHowMuchHasCome) {
  for (const std::string bytes :
       {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "SSH-2.0-x\r\nGET / HTTP/1.1\r\n", "\x16\x03\x01\x00\x05"}) {
    Opening known = Opening::kUnclear;
    for (std::size_t size = 0; size <= bytes.size(); ++size) {
      const Opening now = opening_of(std::string_view(bytes).substr(0, size));
      EXPECT_TRUE(known == Opening::kUnclear || now == known) << bytes << " " << size;
      known = now;
    }
  }
}

}  // namespace
}  // namespace sbx::proxy
