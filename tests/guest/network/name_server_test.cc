// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/network/name_server.h"

#include <gtest/gtest.h>

#include <string>

namespace sbx::guest {
namespace {

using namespace std::string_literals;

class NameServerTest : public ::testing::Test {
 protected:
  // The answer to a question of this type, in the labels' own form.
  std::string ask(const std::string& name, int type) {
    const auto reply =
        server_.reply("\x12\x34\x01\0\0\1\0\0\0\0\0\0"s + name + '\0' + '\0' + static_cast<char>(type) + "\0\1"s);
    return reply.value_or("nothing");
  }
  static int code(const std::string& reply) { return reply[3] & 0xf; }
  static int answers(const std::string& reply) { return reply[7]; }

  std::unique_ptr<loop::Loop> loop_ = std::move(*loop::Loop::create());
  NameTable names_;
  NameServer server_{*loop_, names_};
};

TEST_F(NameServerTest, AnyNameHasAnAddress) {
  const std::string reply = ask("\3www\7example\3com", 1);
  EXPECT_EQ(code(reply), 0);
  EXPECT_EQ(answers(reply), 1);
  EXPECT_EQ(names_.address_of("www.example.com"), names_.address_of("www.example.com"));
  EXPECT_EQ(reply.substr(reply.size() - 4, 2), "\xc6\x12");
  EXPECT_EQ(answers(ask("\3nas", 1)), 1) << "the host may know it";
}

TEST_F(NameServerTest, ThereIsNothingButAddressesOfIpv4) {
  for (const int type : {28 /* AAAA */, 65 /* HTTPS */, 64 /* SVCB */, 15 /* MX */, 16 /* TXT */, 255 /* ANY */}) {
    const std::string reply = ask("\7example\3com", type);
    EXPECT_EQ(code(reply), 0) << type;
    EXPECT_EQ(answers(reply), 0) << type;
  }
  EXPECT_EQ(names_.size(), 0u) << "and no address is used up for it";
}

TEST_F(NameServerTest, LocalhostIsTheLoopback) {
  for (const std::string& name : {"\11localhost"s, "\3box\11localhost"s}) {
    const std::string reply = ask(name, 1);
    EXPECT_EQ(reply.substr(reply.size() - 4), "\x7f\0\0\1"s);
  }
  const std::string other = ask("\14notlocalhost", 1);
  EXPECT_EQ(other.substr(other.size() - 4, 2), "\xc6\x12");
}

TEST_F(NameServerTest, AnAddressThatWasGivenHasItsNameAndOthersHaveNone) {
  const Ipv4 address = names_.address_of("a.example");
  ASSERT_EQ(address & 0xff, 1u);
  const std::string reply =
      ask("\1"
          "1\1"
          "1\2"
          "18\3"
          "198\7in-addr\4arpa",
          12);
  EXPECT_EQ(reply.substr(reply.size() - 11), "\1a\7example\0"s);
  EXPECT_EQ(code(ask("\1"
                     "9\1"
                     "1\2"
                     "18\3"
                     "198\7in-addr\4arpa",
                     12)),
            3);
  EXPECT_EQ(code(ask("\1"
                     "1\1"
                     "0\3"
                     "168\3"
                     "192\7in-addr\4arpa",
                     12)),
            3);
  EXPECT_EQ(code(ask("\7example\3com", 12)), 3);
}

TEST_F(NameServerTest, ANameThatNoHostHasDoesNotExist) {
  EXPECT_EQ(code(ask("\3a b", 1)), 3);
  EXPECT_EQ(names_.size(), 0u);
}

}  // namespace
}  // namespace sbx::guest
