// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/port_spec.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

std::string published(const std::string& text) {
  const auto specs = parse_ports("publish", text);
  if (!specs) return specs.error().what();
  std::string out;
  for (const PortSpec& spec : *specs) out += (out.empty() ? "" : " ") + wire::text(spec.published());
  return out;
}

struct PortCase {
  const char* text;
  const char* expected;
};

TEST(PortSpec, IsDockersForm) {
  const PortCase cases[] = {
      {"80", "127.0.0.1:any->80/tcp"},
      {"8080:80", "127.0.0.1:8080->80/tcp"},
      {"8080:80/tcp", "127.0.0.1:8080->80/tcp"},
      {"0:80", "127.0.0.1:any->80/tcp"},
      {":80", "127.0.0.1:any->80/tcp"},
      {"0.0.0.0:8080:80", "0.0.0.0:8080->80/tcp"},
      {"0.0.0.0::80", "0.0.0.0:any->80/tcp"},
      {"[::1]:8080:80", "[::1]:8080->80/tcp"},
      {"[::1]::80", "[::1]:any->80/tcp"},
      {"65535:65535", "127.0.0.1:65535->65535/tcp"},
      {"8000-8002:3000-3002", "127.0.0.1:8000->3000/tcp 127.0.0.1:8001->3001/tcp 127.0.0.1:8002->3002/tcp"},
      {"3000-3001", "127.0.0.1:any->3000/tcp 127.0.0.1:any->3001/tcp"},
      {"::1:9:3000-3001", "--publish ::1:9:3000-3001: \"::1\" is not an address"},
  };
  for (const PortCase& one : cases) EXPECT_EQ(published(one.text), one.expected) << one.text;
}

TEST(PortSpec, SaysWhatIsWrong) {
  const PortCase cases[] = {
      {"", "--publish : \"\" is not a port"},
      {"0", "--publish 0: \"0\" is not a port"},
      {"65536", "--publish 65536: \"65536\" is not a port"},
      {"http", "--publish http: \"http\" is not a port"},
      {"+80", "--publish +80: \"+80\" is not a port"},
      {"-80", "--publish -80: \"-80\" is not a port"},
      {"80-", "--publish 80-: \"80-\" is not a port"},
      {"90-80", "--publish 90-80: \"90-80\" is not a port"},
      {"8080:", "--publish 8080:: \"\" is not a port"},
      {"x:80", "--publish x:80: \"x\" is not a port"},
      {"0-9:80-89", "--publish 0-9:80-89: \"0-9\" is not a port"},
      {"8000-8001:80", "--publish 8000-8001:80: the two ranges are not of the same length"},
      {"53/udp", "--publish 53/udp: only TCP can be published, not \"udp\""},
      {"53/", "--publish 53/: only TCP can be published, not \"\""},
      {"::1:8080:80", "--publish ::1:8080:80: \"::1\" is not an address"},
      {"80\x1b[2J", "--publish 80\\x1b[2J: \"80\\x1b[2J\" is not a port"},
  };
  for (const PortCase& one : cases) EXPECT_EQ(published(one.text), one.expected) << one.text;
}

TEST(PortSpec, MeansWhatIsPublishedAsFarAsItSaysSomething) {
  const wire::PublishedPort shown{"127.0.0.1", 40000, 80};
  const auto means = [&](const char* text) { return parse_ports("unpublish", text)->front().matches(shown); };
  EXPECT_TRUE(means("80"));
  EXPECT_TRUE(means("40000:80"));
  EXPECT_TRUE(means("127.0.0.1::80"));
  EXPECT_TRUE(means("127.0.0.1:40000:80"));
  EXPECT_FALSE(means("81"));
  EXPECT_FALSE(means("8080:80"));
  EXPECT_FALSE(means("0.0.0.0::80"));
}

TEST(PortSpec, IsShownInTheVendorsColumns) {
  EXPECT_EQ(ports_table({{"127.0.0.1", 8080, 80}, {"::1", 0, 443}}),
            "HOST IP     HOST PORT   SANDBOX PORT   PROTOCOL\n"
            "127.0.0.1   8080        80             tcp\n"
            "::1         any         443            tcp\n");
  EXPECT_EQ(dump(ports_json({{"127.0.0.1", 8080, 80}})),
            R"([{"host_ip":"127.0.0.1","host_port":8080,"sandbox_port":80,"protocol":"tcp"}])");
  EXPECT_EQ(dump(ports_json({})), "[]");
}

TEST(StaticHost, IsANameAndAnAddress) {
  const auto parsed = [](const char* text) {
    const auto host = parse_static_host(text);
    return host ? host->name + " " + host->address : host.error().what();
  };
  EXPECT_EQ(parsed("db.test:10.0.0.5"), "db.test 10.0.0.5");
  EXPECT_EQ(parsed("db.test=10.0.0.5"), "db.test 10.0.0.5");
  EXPECT_EQ(parsed("db.test:::1"), "db.test ::1");
  EXPECT_EQ(parsed("db.test:[2001:db8::1]"), "db.test 2001:db8::1");
  EXPECT_EQ(parsed("db.test"), "--add-host db.test: must be NAME:IP");
  EXPECT_EQ(parsed(":10.0.0.5"), "--add-host :10.0.0.5: must be NAME:IP");
  EXPECT_EQ(parsed("db.test:"), "--add-host db.test:: must be NAME:IP");
}

}  // namespace
}  // namespace sbx::cli
