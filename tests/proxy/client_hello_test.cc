// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/client_hello.h"

#include <gtest/gtest.h>

#include "proxy/hello.h"
#include "proxy/world.h"

namespace sbx::proxy {
namespace {

using namespace std::string_literals;
using namespace testing::tls;

const std::string kGood = server_name(name("good.test"));

TEST(ClientHello, SaysForWhomAndForWhatItIs) {
  const auto read = read_client_hello(hello(kGood + protocols("\2h2\x08http/1.1")));
  ASSERT_TRUE(read && *read);
  EXPECT_EQ((*read)->server_name, "good.test");
  EXPECT_EQ((*read)->protocols, (std::vector<std::string>{"h2", "http/1.1"}));
}

TEST(ClientHello, MaySayNeither) {
  const auto read = read_client_hello(hello(""));
  ASSERT_TRUE(read && *read);
  EXPECT_EQ((*read)->server_name, std::nullopt);
  EXPECT_TRUE((*read)->protocols.empty());
}

TEST(ClientHello, MayBeSpreadOverRecordsOfAnySize) {
  for (const std::size_t size : {1, 2, 3, 5, 60}) {
    const auto read = read_client_hello(in_records(message(kGood), size));
    ASSERT_TRUE(read && *read) << size;
    EXPECT_EQ((*read)->server_name, "good.test");
  }
}

TEST(ClientHello, IsWaitedForByteByByte) {
  const std::string bytes = in_records(message(kGood), 20);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto read = read_client_hello(std::string_view(bytes).substr(0, size));
    ASSERT_TRUE(read) << size;
    EXPECT_FALSE(*read) << size;
  }
}

TEST(ClientHello, IsReadAsOpensslWritesIt) {
  testing::World world;
  const testing::Ssl ssl = world.tls({"good.test", {"h2", "http/1.1"}});
  BIO* in = BIO_new(BIO_s_mem());
  BIO* out = BIO_new(BIO_s_mem());
  SSL_set_bio(ssl.get(), in, out);
  SSL_do_handshake(ssl.get());
  std::string bytes(1u << 14, '\0');
  bytes.resize(static_cast<std::size_t>(BIO_read(out, bytes.data(), static_cast<int>(bytes.size()))));
  const auto read = read_client_hello(bytes);
  ASSERT_TRUE(read && *read);
  EXPECT_EQ((*read)->server_name, "good.test");
  EXPECT_EQ((*read)->protocols.size(), 2u);
}

struct Bad {
  const char* name;
  std::string bytes;
};
const std::vector<Bad> kBad = {
    {"two names in the list", hello(server_name(name("good.test") + name("evil.test")))},
    {"two lists of names", hello(kGood + server_name(name("evil.test")))},
    {"the same list twice", hello(kGood + kGood)},
    {"a name with a zero", hello(server_name(name("good.test\0.evil.test"s)))},
    {"an empty name", hello(server_name(name("")))},
    {"an empty list of names", hello(server_name(""))},
    {"another type of name", hello(server_name("\1" + part("good.test", 2)))},
    {"a name longer than its list", hello(extension(0, part('\0' + number(99, 2) + "good.test", 2)))},
    {"bytes behind the list of names", hello(extension(0, part(name("good.test"), 2) + "x"))},
    {"a list of names longer than its extension", hello(extension(0, number(99, 2) + name("good.test")))},
    {"a protocol longer than its list", hello(protocols("\x09h2"))},
    {"an extension longer than the hello", hello(number(0, 2) + number(99, 2) + "x")},
    {"half an extension", hello(kGood + "\0"s)},
    {"bytes behind the extensions", record('\1' + part("\x03\x03" + std::string(32, 'r') + part("", 1) +
                                                           part("\x13\x01", 2) + part("\0"s, 1) + part(kGood, 2) + "x",
                                                       3))},
    {"cut off in the random", record('\1' + part("\x03\x03" + std::string(10, 'r'), 3))},
    {"bytes behind the hello", record(message(kGood) + "x")},
    {"another message", record('\2' + part("", 3))},
    {"another record in the middle", in_records(message(kGood), 20).substr(0, 50) + "\x15\x03\x01\x00\x02\x01\x00"s},
    {"an empty record", record("") + hello(kGood)},
    {"a record of 17 KiB", record(std::string(17u << 10, '\1'))},
    {"a hello of 40 KiB", in_records('\1' + part(std::string(40u << 10, 'x'), 3), 16000)},
    {"a hello of 16 MiB", record('\1' + number(0xffffff, 3))},
    {"another major version in the middle",
     in_records(message(kGood), 20).substr(0, 50) + "\x16\x02\x01\x00\x02\x01\x00"s},
};

TEST(ClientHello, WhatNoLibrarySendsIsRefused) {
  for (const Bad& bad : kBad) EXPECT_FALSE(read_client_hello(bad.bytes)) << bad.name;
}

// No server behind a bypass gets a hello that we could not read, either.
TEST(ClientHello, WhatIsRefusedReachesNobody) {
  for (const bool bypassed : {false, true}) {
    testing::World world(bypassed ? testing::Edits{{"bypass-host", "good.test"}, {"allow-host", "good.test:443"}}
                                  : testing::Edits{});
    testing::Heard heard;
    testing::TestServer upstream([&heard](testing::Pipe& server) { heard.add(server.rest()); });
    world.serve(443, upstream);
    for (const Bad& bad : kBad) {
      testing::Pipe client = world.captured("good.test:443");
      client.send(bad.bytes);
      client.half_close();
      EXPECT_EQ(client.rest(), "") << bad.name;
    }
    world.end();
    upstream.end();
    EXPECT_EQ(heard.all(), "");
  }
}

struct Named {
  std::optional<std::string> server_name;
  const char* reason;  // of the refusal
};

// Well-formed, but for somebody else: explained inside TLS. The same behind a bypass.
TEST(ClientHello, ForAnotherHostIsRefused) {
  const std::vector<Named> others = {
      {std::nullopt, "TLS to a named host must say the name"},   {"evil.test", "the request names another host"},
      {"fine.test", "the request names another host"},           {"203.0.113.7", "the request names another host"},
      {"good.test.evil.test", "the request names another host"}, {"2130706433", "the request names another host"},
      {"good.test:443", "the request names another host"}};
  for (const bool bypassed : {false, true}) {
    testing::World world(bypassed ? testing::Edits{{"bypass-host", "good.test"}} : testing::Edits{});
    for (const Named& other : others) {
      testing::Pipe client = world.captured("good.test:443");
      testing::Ssl ssl = world.tls({std::nullopt});
      SSL_set_verify(ssl.get(), SSL_VERIFY_NONE, nullptr);
      if (other.server_name) SSL_set_tlsext_host_name(ssl.get(), other.server_name->c_str());
      ASSERT_EQ(client.shake_hands(std::move(ssl)), "");
      client.send("GET / HTTP/1.1\r\nHost: good.test\r\n\r\n");
      const std::string answer = client.rest();
      EXPECT_TRUE(answer.starts_with("HTTP/1.1 403 ")) << other.server_name.value_or("none");
      EXPECT_NE(answer.find(other.reason), std::string::npos) << answer;
    }
    EXPECT_TRUE(world.dials().empty());
  }
}

}  // namespace
}  // namespace sbx::proxy
