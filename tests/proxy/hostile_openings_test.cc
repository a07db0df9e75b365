// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "proxy/hello.h"
#include "proxy/world.h"

// What a hostile program may begin a connection with to get past inspection, to hosts and ports that rules name. The
// worst of such rules: on 8443 what is neither HTTP nor TLS may pass, on 80 and 443 it may not.
namespace sbx::testing {
namespace {

using namespace std::string_literals;
using namespace tls;

const Edits kRules = {
    {"allow-host", "good.test:80"}, {"allow-host", "good.test:443"}, {"allow-host", "good.test:8443"}};
const std::string kHello = hello(server_name(name("good.test")));

// The same with another version in its first record.
std::string of_version(char major, std::string bytes) {
  bytes[1] = major;
  return bytes;
}

struct Hostile {
  const char* name;
  const char* target;
  std::string bytes;
};

// Some TLS servers take these for TLS, or overlook them: they must not be what "neither HTTP nor TLS" is.
const Hostile kHostile[] = {
    {"HelloOfSsl2ForTls", "good.test:8443",
     "\x80\x1f\x01\x03\x03"s + number(6, 2) + number(0, 2) + number(16, 2) + "\x00\xc0\x2f\x00\x00\x9c"s +
         std::string(16, 'c')},
    {"HelloOfSsl2", "good.test:8443",
     "\x80\x1c\x01\x00\x02\x00\x03\x00\x00\x00\x10\x07\x00\xc0"s + std::string(16, 'c')},
    {"AlertBeforeTheHello", "good.test:8443", "\x15\x03\x01\x00\x02\x01\x5a"s + kHello},
    {"AlertOfAnotherVersion", "good.test:8443", "\x15\x09\x01\x00\x02\x01\x5a"s + kHello},
    {"CipherSpecBeforeTheHello", "good.test:8443", "\x14\x03\x01\x00\x01\x01"s + kHello},
    {"DataBeforeTheHello", "good.test:8443", "\x17\x03\x01\x00\x01x"s + kHello},
    {"HeartbeatBeforeTheHello", "good.test:8443", "\x18\x03\x01\x00\x03\x01\x00\x00"s + kHello},
    {"EmptyRecordBeforeTheHello", "good.test:8443", record("") + kHello},
    {"EmptyRecordOfAnotherVersion", "good.test:8443", of_version(9, record("")) + kHello},
    {"HelloOfVersion0", "good.test:8443", of_version(0, kHello)},
    {"HelloOfVersion2", "good.test:8443", of_version(2, kHello)},
    {"HelloOfVersion255", "good.test:8443", of_version('\xff', kHello)},
    {"HelloInPiecesOfVersion2", "good.test:8443", of_version(2, in_records(message(""), 1))},
    {"HalfAHello", "good.test:8443", kHello.substr(0, 30)},

    {"Ssh443", "good.test:443", "SSH-2.0-client\r\n"},
    {"Ssh80", "good.test:80", "SSH-2.0-client\r\n"},
    {"MadeUp", "good.test:443", "\x00\x01\x02made up"s},
    {"AByteBeforeTheHello", "good.test:443", "\0"s + kHello},
    {"ALineBeforeTheHello", "good.test:443", "hello\r\n" + kHello},
    {"AProxysLineBeforeTheHello", "good.test:443", "PROXY TCP4 192.0.2.1 192.0.2.2 1 443\r\n" + kHello},
    {"AProxysHeaderBeforeTheHello", "good.test:443", "\r\n\r\n\0\r\nQUIT\n\x20\0\0\0"s + kHello},
    {"AWordWithoutAnEnd", "good.test:443", "PING"},
    {"AWordWithoutAnEnd80", "good.test:80", "PING"},
};

void PrintTo(const Hostile& hostile, std::ostream* out) { *out << hostile.name; }

class HostileOpening : public ::testing::TestWithParam<Hostile> {};

TEST_P(HostileOpening, ReachesNobodyAndIsLogged) {
  Heard heard;
  TestServer upstream([&heard](Pipe& server) { heard.add("somebody came" + server.rest()); });
  World world(kRules);
  for (const std::uint16_t port : std::initializer_list<std::uint16_t>{80, 443, 8443}) world.serve(port, upstream);
  for (const bool whole : {true, false}) {
    Pipe client = world.captured(GetParam().target);
    for (const char byte : whole ? std::string() : GetParam().bytes) client.send({&byte, 1});
    if (whole) client.send(GetParam().bytes);
    client.half_close();
    EXPECT_EQ(client.rest(), "");
  }
  const auto log = world.log();
  world.end();
  upstream.end();
  EXPECT_EQ(heard.all(), "");
  ASSERT_EQ(log.size(), 2u);
  EXPECT_FALSE(log[0].allowed);
  EXPECT_TRUE(log[0].rule == "<only http>" || log[0].rule == "<well-formed>") << log[0].rule;
}

INSTANTIATE_TEST_SUITE_P(All, HostileOpening, ::testing::ValuesIn(kHostile),
                         [](const auto& tested) { return std::string(tested.param.name); });

proxy::ProxyLimits impatient(std::chrono::milliseconds silence) {
  proxy::ProxyLimits limits;
  limits.silence = silence;
  limits.opening = std::chrono::milliseconds(100);
  return limits;
}

// A method whose rest comes when we have stopped waiting for it would be a request that was not looked at.
TEST(HostileOpenings, AWordThatMayBecomeARequestIsNotPassedOnBeforeItsEnd) {
  Heard heard;
  TestServer upstream([&heard](Pipe& server) { heard.add("somebody came" + server.rest()); });
  World world(kRules, impatient(std::chrono::hours(1)));
  world.serve(8443, upstream);
  Pipe client = world.captured("good.test:8443");
  client.send("GET");
  EXPECT_EQ(client.rest(), "");
  world.end();
  upstream.end();
  EXPECT_EQ(heard.all(), "");
}

// A server that speaks first would make a tunnel of it.
TEST(HostileOpenings, OnThePortsOfHttpNoServerIsCalledForASilentClient) {
  World world(kRules, impatient(std::chrono::milliseconds(1)));
  for (const char* target : {"good.test:80", "good.test:443"}) {
    Pipe client = world.captured(target);
    EXPECT_EQ(client.rest(), "");
  }
  EXPECT_TRUE(world.dials().empty());
}

}  // namespace
}  // namespace sbx::testing
