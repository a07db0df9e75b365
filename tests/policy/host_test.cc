// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/host.h"

#include <gtest/gtest.h>

#include "policy/target.h"

namespace sbx::policy {
namespace {

using namespace std::string_literals;

const std::string k63(63, 'a');

struct Named {
  std::string text;
  std::string host;
};

const Named kHosts[] = {
    {"example.com", "example.com"},
    {"Example.COM", "example.com"},
    {"example.com.", "example.com"},
    {"EXAMPLE.COM.", "example.com"},
    {"nas", "nas"},
    {"a", "a"},
    {"my_host.example.com", "my_host.example.com"},
    {"_service._tcp.example.com", "_service._tcp.example.com"},
    {"r3---sn-abc.example.com", "r3---sn-abc.example.com"},
    {"xn--bcher-kva.example", "xn--bcher-kva.example"},
    {"XN--BCHER-KVA.example", "xn--bcher-kva.example"},
    {"xn--pple-43d.com", "xn--pple-43d.com"},
    {"1and1.com", "1and1.com"},
    {"0.example.com", "0.example.com"},
    {"127.0.0.1.example.com", "127.0.0.1.example.com"},
    {"0x7f.example", "0x7f.example"},
    {"123.4x5", "123.4x5"},
    {"127.0.0.1e0", "127.0.0.1e0"},
    {k63 + ".com", k63 + ".com"},
    {k63 + "." + k63 + "." + k63 + "." + std::string(61, 'b'),
     k63 + "." + k63 + "." + k63 + "." + std::string(61, 'b')},
    {k63 + "." + k63 + "." + k63 + "." + std::string(61, 'b') + ".",
     k63 + "." + k63 + "." + k63 + "." + std::string(61, 'b')},
    {"192.0.2.1", "192.0.2.1"},
    {"0.0.0.0", "0.0.0.0"},
    {"255.255.255.255", "255.255.255.255"},
    {"[::1]", "[::1]"},
    {"[2001:DB8:0:0:0:0:0:1]", "[2001:db8::1]"},
    {"[::ffff:192.0.2.1]", "192.0.2.1"},
    {"[::FFFF:c000:0201]", "192.0.2.1"},
};

TEST(Host, HasOneForm) {
  for (const auto& [text, form] : kHosts) {
    const auto host = Host::parse(text);
    ASSERT_TRUE(host) << text << ": " << host.error().what();
    EXPECT_EQ(host->text(), form);
    EXPECT_EQ(*Host::parse(host->text()), *host);
  }
}

TEST(Host, KnowsAnAddress) {
  EXPECT_EQ(Host::parse("192.0.2.1")->address(), Address::v4({192, 0, 2, 1}));
  EXPECT_TRUE(Host::parse("[::1]")->address());
  EXPECT_FALSE(Host::parse("example.com")->address());
}

// Whatever two programs could read in two ways, or hides what it is.
const std::string kHostile[] = {
    "",
    ".",
    "..",
    "example.com..",
    ".example.com",
    "example..com",
    "a..",
    " example.com",
    "example.com ",
    "exam ple.com",
    "example.com\t",
    "example.com\n",
    "example.com\r\nHost: evil.test",
    "example.com\0"s,
    "example.com\0.evil.test"s,
    "\0"s,
    "example.com\x7f",
    "\x1b[31mexample.com",
    "user@example.com",
    "example.com@evil.test",
    "user:password@example.com",
    "%65xample.com",
    "example%2ecom",
    "example.com%00",
    "example.com%00.evil.test",
    "127.0.0.1%0d",
    "https://example.com",
    "//example.com",
    "/example.com",
    "example.com/",
    "example.com/path",
    "example.com?x",
    "example.com#x",
    "example.com\\@evil.test",
    "example.com;evil.test",
    "example.com,evil.test",
    "example.com&evil.test",
    "example.com=evil",
    "exam\"ple.com",
    "'example.com'",
    "<example.com>",
    "`id`.example.com",
    "$(id).example.com",
    "exam+ple.com",
    "exam!ple.com",
    "exam~ple.com",
    "{example.com}",
    "*",
    "*.example.com",
    "-example.com",
    "example-.com",
    "example.-com",
    "example.com-",
    "-",
    "--help",
    std::string(64, 'a') + ".com",
    k63 + "." + k63 + "." + k63 + "." + std::string(62, 'b'),
    std::string(254, 'a'),
    std::string(100'000, 'a'),
    std::string(100'000, '.'),
    // Other scripts, look-alikes and marks that vanish.
    "b\xc3\xbc"
    "cher.example",
    "\xd0\xb0pple.com",
    "example\xe3\x80\x82"
    "com",
    "example\xef\xbc\x8e"
    "com",
    "\xef\xbd\x85xample.com",
    "exam\xc2\xadple.com",
    "exam\xe2\x80\x8bple.com",
    "\xe2\x80\xae"
    "moc.elpmaxe",
    "\xc4\xb0.example",
    "\xe2\x91\xa0\xe2\x91\xa1\xe2\x91\xa6.0.0.1",
    "example.com\xff",
    "\xc0\xae",
    // Addresses in forms that only some resolvers know.
    "2130706433",
    "4294967295",
    "4294967296",
    "0",
    "00",
    "127",
    "127.1",
    "127.0.1",
    "127.0.0.1.",
    "127.0.0.1.1",
    "127.0.0.256",
    "127.0.0.-1",
    "127.0.0.",
    "127..0.1",
    "127.0.0.01",
    "0177.0.0.1",
    "0177.0.0.01",
    "0000177.0.0.1",
    "017700000001",
    "0x7f.1",
    "0x7f.0.0.1",
    "0x7F000001",
    "0X7f000001",
    "0x7f.0x0.0x0.0x1",
    "0x",
    "1.2.3.0x",
    "example.0x1",
    "example.1",
    "example.com.127",
    "192.168.0.1 ",
    " 192.168.0.1",
    "+127.0.0.1",
    "127.0.0.1,",
    "١٢٧.0.0.1",
    // IPv6.
    "::1",
    "2001:db8::1",
    "::ffff:127.0.0.1",
    "[",
    "]",
    "[]",
    "[::1",
    "::1]",
    "[[::1]]",
    "[::1].",
    "[::1]x",
    "[127.0.0.1]",
    "[example.com]",
    "[::1%lo]",
    "[fe80::1%25eth0]",
    "[::1 ]",
    "[ ::1]",
    "[:::1]",
    "[::1::]",
    "[1:2:3:4:5:6:7:8:9]",
    "[1:2:3:4:5:6:7]",
    "[::12345]",
    "[::g]",
    "[::ffff:127.1]",
    "[::ffff:0177.0.0.1]",
    "[::ffff:127.0.0.1.]",
    "[::1\0]"s,
    "[v1.x]",
};

TEST(Host, RefusesHostileForms) {
  for (const std::string& text : kHostile) EXPECT_FALSE(Host::parse(text)) << text.substr(0, 80);
}

TEST(Host, RefusalsDoNotDriveTheTerminal) {
  for (const std::string& text : kHostile) {
    const std::string why = Host::parse(text).error().what();
    for (const char c : why) EXPECT_FALSE(static_cast<unsigned char>(c) < 0x20 || c == 0x7f) << why;
    EXPECT_LT(why.size(), 400U);
  }
}

TEST(Host, SaysHowToWriteIt) {
  const auto why = [](std::string_view text) { return Host::parse(text).error().what(); };
  EXPECT_EQ(why("b\xc3\xbc"
                "cher.example"),
            "bad host \"b\xc3\xbc"
            "cher.example\": write names of other scripts as A-labels (xn--...)");
  EXPECT_EQ(why("0x7f.1"), "bad host \"0x7f.1\": write an IPv4 address as four decimal numbers, such as 192.0.2.1");
  EXPECT_EQ(why("::1"), "bad host \"::1\": write an IPv6 address in brackets, such as [::1]");
}

TEST(Host, LooksNumericIsWhatEndsInANumber) {
  for (const char* text : {"1", "127.1", "0x7f", "0X7F", "a.0x", "example.1", "1.2.3.4", "1.2.3.4.", "09"})
    EXPECT_TRUE(looks_numeric(text)) << text;
  for (const char* text : {"", ".", "a", "1.a", "1.com", "0xg", "x0", "1and1", "0.example"})
    EXPECT_FALSE(looks_numeric(text)) << text;
}

TEST(Host, IsLocalByTwoNames) {
  EXPECT_TRUE(Host::parse("localhost")->is_local());
  EXPECT_TRUE(Host::parse("Host.Docker.Internal.")->is_local());
  EXPECT_EQ(Host::parse("host.docker.internal")->ruled_name(), "localhost");
  EXPECT_FALSE(Host::parse("a.localhost")->is_local());
  EXPECT_FALSE(Host::parse("127.0.0.1")->is_local());
}

struct Split {
  const char* text;
  const char* host;
  int port;  // 0: none
};

const Split kSplits[] = {
    {"example.com", "example.com", 0},
    {"example.com:443", "example.com", 443},
    {"[::1]:443", "[::1]", 443},
    {"[::1]", "[::1]", 0},
    {"*:1", "*", 1},
    {"a:65535", "a", 65535},
};

TEST(SplitPort, CutsAtTheColon) {
  for (const auto& [text, host, port] : kSplits) {
    const auto cut = split_port(text);
    ASSERT_TRUE(cut) << text;
    EXPECT_EQ(cut->host, host);
    EXPECT_EQ(cut->port.value_or(0), port);
  }
}

TEST(SplitPort, RefusesWhatIsNoPort) {
  for (const char* text : {"a:", "a:0", "a:00", "a:080", "a:65536", "a:99999999999999999999", "a:-1", "a:+1", "a: 1",
                           "a:1 ", "a:1x", "a:0x50", "a:b", "a:1:2", "::1", "a::1", "[::1]:", "[::1]443", "[::1]x:1"})
    EXPECT_FALSE(split_port(text)) << text;
  EXPECT_FALSE(split_port("a:1\0"s));
}

struct Wanted {
  const char* text;
  const char* target;
};

const Wanted kTargets[] = {
    {"example.com", "example.com:443"},
    {"example.com:80", "example.com:80"},
    {"http://example.com", "example.com:80"},
    {"https://Example.com./a?b#c", "example.com:443"},
    {"http://example.com:8080/", "example.com:8080"},
    {"https://example.com?x=http://y", "example.com:443"},
    {"ws://example.com/chat", "example.com:80"},
    {"wss://example.com/chat", "example.com:443"},
    {"https://[2001:db8::1]/", "[2001:db8::1]:443"},
    {"10.0.0.1:22", "10.0.0.1:22"},
};

TEST(Target, IsParsedFromAUsersWords) {
  for (const auto& [text, form] : kTargets) {
    const auto target = parse_target(text);
    ASSERT_TRUE(target) << text << ": " << target.error().what();
    EXPECT_EQ(target->text(), form);
  }
}

TEST(Target, RefusesWhatIsNone) {
  for (const char* text :
       {"", "https://", "https:///x", "ftp://example.com", "HTTPS://example.com", "https://user@example.com/",
        "https://user:1@example.com", "example.com/path", "https://example.com:0", "https://0x7f.1/", "*.example.com",
        "https:example.com", "https://example.com\\@evil.test/"})
    EXPECT_FALSE(parse_target(text)) << text;
}

}  // namespace
}  // namespace sbx::policy
