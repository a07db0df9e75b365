// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/login_link.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

std::uint16_t port_of(const std::string& address) {
  const auto link = parse_login_link(address);
  EXPECT_TRUE(link) << address;
  return link ? link->port : 0;
}

TEST(LoginLink, HasThePortThatTheProgramWaitsOn) {
  EXPECT_EQ(port_of("https://auth.example/authorize?a=b&redirect_uri=http%3A%2F%2Flocalhost%3A1455%2Fauth%2Fcallback"),
            1455);
  EXPECT_EQ(port_of("https://x.example/?redirect_uri=http://127.0.0.1:54545/callback&code=true"), 54545);
  EXPECT_EQ(port_of("https://x.example/?redirect_uri=http%3a%2f%2f%5B::1%5D%3a8976"), 8976);
}

TEST(LoginLink, HasNoneForAnythingElseThanAnOpenPortOfTheLoopback) {
  for (const char* address :
       {"https://x.example/", "https://x.example/?redirect_uri=https://x.example:1455/",
        "https://x.example/?redirect_uri=http://localhost:80/", "https://x.example/?redirect_uri=http://localhost:0/",
        "https://x.example/?redirect_uri=http://localhost:99999/", "https://x.example/?redirect_uri=http://localhost/",
        "https://x.example/?redirect_uri=http://localhost.evil.example:1455/",
        "https://x.example/?redirect_uri=http://localhost:14x5/",
        "https://x.example/#redirect_uri=http://localhost:1455/",
        "https://x.example/?redirect_uri=http%3A%2F%2F192.168.0.1%3A1455",
        "https://x.example/?xredirect_uri=http://localhost:1455"})
    EXPECT_EQ(port_of(address), 0) << address;
}

TEST(LoginLink, IsNothingThatATerminalOrAShellCouldActOn) {
  for (const std::string& address :
       {std::string("file:///etc/passwd"), std::string("javascript:alert(1)"), std::string(""),
        std::string("https://x.example/\033]52;c;eA==\007"), std::string("https://x.example/a b"),
        std::string("https://x.example/'$(id)'"), std::string("https://x.example/`id`"),
        std::string("https://x.example/\xc2\x9b"), "https://x.example/" + std::string(4000, 'a')})
    EXPECT_FALSE(parse_login_link(address)) << address;
}

}  // namespace
}  // namespace sbx::cli
