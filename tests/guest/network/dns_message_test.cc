// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/network/dns_message.h"

#include <gtest/gtest.h>

#include <vector>

namespace sbx::guest::dns {
namespace {

using namespace std::string_literals;

const std::string kHeader = "\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00"s;
const std::string kName = "\3WwW\7example\3com\0"s;
const std::string kOptions = "\0\x00\x29\x04\xd0\x00\x00\x00\x00\x00\x00"s;

std::string query(const std::string& name, std::uint16_t type, std::uint16_t of_class = 1) {
  return kHeader + name + static_cast<char>(type >> 8) + static_cast<char>(type) + static_cast<char>(of_class >> 8) +
         static_cast<char>(of_class);
}

TEST(DnsMessage, AQuestionIsReadInSmallLettersAndRepeatedAsItWas) {
  const auto parsed = parse_query(query(kName, 1));
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(parsed->understood && parsed->well_formed);
  EXPECT_EQ(parsed->id, 0x1234);
  EXPECT_EQ(parsed->name, "www.example.com");
  EXPECT_EQ(parsed->type, Type::kA);
  EXPECT_EQ(answer(*parsed, Rcode::kNoError, address_data(0xc6120105)),
            "\x12\x34\x81\x80\x00\x01\x00\x01\x00\x00\x00\x00"s + kName + "\0\1\0\1"s +
                "\xc0\x0c\0\1\0\1\0\0\0\x1e\0\4\xc6\x12\1\5"s);
}

TEST(DnsMessage, AnExtendedQuestionHasAnExtendedAnswer) {
  std::string message = query(kName, 28) + kOptions;
  message[11] = 1;
  const auto parsed = parse_query(message);
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(parsed->extended);
  const std::string reply = answer(*parsed, Rcode::kNoError);
  EXPECT_EQ(reply.substr(6, 6), "\0\0\0\0\0\1"s) << "no answer, and options";
  EXPECT_EQ(reply.substr(reply.size() - kOptions.size(), 3), "\0\0\x29"s);
}

TEST(DnsMessage, WhatIsNoQueryIsNotAnswered) {
  EXPECT_FALSE(parse_query(""));
  EXPECT_FALSE(parse_query(kHeader.substr(0, 11)));
  std::string answer = query(kName, 1);
  answer[2] = '\x81';
  EXPECT_FALSE(parse_query(answer)) << "two name servers would talk for ever";
}

TEST(DnsMessage, BrokenQuestionsAreFormatErrors) {
  const std::vector<std::pair<const char*, std::string>> broken{
      {"no question", kHeader},
      {"a name without an end", kHeader + "\3www"s},
      {"a name that ends with the message", kHeader + "\3www\0"s},
      {"a pointer", kHeader + "\xc0\x0c\0\1\0\1"s},
      {"a label of 64", kHeader + "\x40" + std::string(64, 'a') + "\0\0\1\0\1"s},
      {"a name of 256", kHeader +
                            [] {
                              std::string name;
                              for (int i = 0; i < 4; ++i) name += "\x3f" + std::string(63, 'a');
                              return name + "\0\0\1\0\1"s;
                            }()},
      {"a label longer than the message", kHeader + "\x3fwww"s},
  };
  for (const auto& [what, message] : broken) {
    const auto parsed = parse_query(message);
    ASSERT_TRUE(parsed) << what;
    EXPECT_FALSE(parsed->well_formed) << what;
    EXPECT_EQ(answer(*parsed, Rcode::kFormatError).size(), 12u) << what;
  }
  std::string two = query(kName, 1);
  two[5] = 2;
  EXPECT_FALSE(parse_query(two)->well_formed);
}

TEST(DnsMessage, OtherClassesAndOperationsAreNotUnderstood) {
  EXPECT_FALSE(parse_query(query(kName, 1, 3))->understood) << "chaos";
  std::string update = query(kName, 1);
  update[2] = '\x28';
  EXPECT_FALSE(parse_query(update)->understood);
}

TEST(DnsMessage, ANameThatNoHostHasIsNone) {
  for (const std::string& name : {"\3a.b\0"s, "\2a \0"s, "\1\xff\0"s, "\1\0\0"s, "\0"s}) {
    const auto parsed = parse_query(query(name, 1));
    ASSERT_TRUE(parsed);
    EXPECT_TRUE(parsed->well_formed);
    EXPECT_EQ(parsed->name, "");
  }
}

TEST(DnsMessage, NamesAreEncodedOrRefused) {
  EXPECT_EQ(encode_name("a.bc"), "\1a\2bc\0"s);
  EXPECT_EQ(encode_name("_x-1"), "\4_x-1\0"s);
  for (const std::string& bad :
       {""s, "."s, "a."s, ".a"s, "a..b"s, "a b"s, "A"s, std::string(64, 'a'), std::string(254, '.')})
    EXPECT_FALSE(encode_name(bad)) << bad;
}

TEST(DnsMessage, ReverseNamesAreReadOrRefused) {
  EXPECT_EQ(address_in_reverse_name("5.1.18.198.in-addr.arpa"), Ipv4{0xc6120105});
  for (const char* bad :
       {"", "in-addr.arpa", "1.18.198.in-addr.arpa", "0.5.1.18.198.in-addr.arpa", "256.1.18.198.in-addr.arpa",
        "-1.1.18.198.in-addr.arpa", "x.1.18.198.in-addr.arpa", "5.1.18.198.ip6.arpa"})
    EXPECT_FALSE(address_in_reverse_name(bad)) << bad;
}

}  // namespace
}  // namespace sbx::guest::dns
