// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/tls_likeness.h"

#include <gtest/gtest.h>

#include <string>

namespace sbx::proxy {
namespace {

using namespace std::string_literals;

struct LikenessCase {
  const char* name;
  std::string bytes;
  Likeness likeness;
};

const LikenessCase kCases[] = {
    {"nothing", "", Likeness::kUnclear},
    {"a hello", "\x16\x03\x01\x02\x00\x01"s, Likeness::kYes},
    {"two bytes of a hello", "\x16\x03", Likeness::kYes},
    {"one byte of a hello", "\x16", Likeness::kUnclear},
    {"an alert", "\x15\x03\x01\x00\x02\x01\x00"s, Likeness::kYes},
    {"a change of ciphers", "\x14\x03\x03\x00\x01\x01"s, Likeness::kYes},
    {"data", "\x17\x03\x03\x00\x01x"s, Likeness::kYes},
    {"a heartbeat", "\x18\x03\x03\x00\x03\x01"s, Likeness::kYes},
    {"a hello in a record of version 0", "\x16\x00\x00\x02\x00\x01"s, Likeness::kYes},
    {"a hello in a record of version 255", "\x16\xff\xff\x02\x00\x01"s, Likeness::kYes},
    {"five bytes of it", "\x16\xff\xff\x02\x00"s, Likeness::kUnclear},
    {"another message in a record of version 0", "\x16\x00\x00\x02\x00\x02"s, Likeness::kNo},
    {"an empty record of version 0", "\x16\x00\x00\x00\x00"s, Likeness::kYes},
    {"a warning of version 9", "\x15\x09\x01\x00\x02\x01"s, Likeness::kYes},
    {"a fatal alert of version 9", "\x15\x09\x01\x00\x02\x02"s, Likeness::kYes},
    {"an alert of three bytes of version 9", "\x15\x09\x01\x00\x03\x01"s, Likeness::kNo},
    {"a hello of SSL 2 for TLS", "\x80\x2e\x01\x03\x03"s, Likeness::kYes},
    {"a long one", "\xff\x2e\x01\x03\x01"s, Likeness::kYes},
    {"three bytes of it", "\x80\x2e\x01"s, Likeness::kUnclear},
    {"a hello of SSL 2", "\x80\x2e\x01\x00\x02"s, Likeness::kYes},

    {"a byte before the hello", "\0\x16\x03\x01"s, Likeness::kNo},
    {"HTTP", "GET /", Likeness::kNo},
    {"SSH", "SSH-2.0-x\r\n", Likeness::kNo},
    {"PostgreSQL asks for TLS", "\x00\x00\x00\x08\x04\xd2\x16\x2f"s, Likeness::kNo},
    {"MQTT", "\x10\x0c\x00\x04MQTT"s, Likeness::kNo},
    {"Telnet", "\xff\xfd\x03\xff\xfb\x18"s, Likeness::kNo},
    {"Telnet that asks for an echo", "\xff\xfd\x01\xff\xfb\x18"s, Likeness::kNo},
    {"memcached", "\x80\x00\x00\x05\x00\x00"s, Likeness::kNo},
    {"ZeroMQ", "\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f"s, Likeness::kNo},
    {"a word with its length before it, of 22", "\x16\x00\xfb\x05\x0fplay.example.com"s, Likeness::kNo},
};

TEST(TlsLikeness, IsWhatALenientServerMakesOfIt) {
  for (const auto& [name, bytes, likeness] : kCases) EXPECT_EQ(likeness_to_tls(bytes), likeness) << name;
}

TEST(TlsLikeness, OnceClearStaysWhatItIs) {
  for (const auto& [name, bytes, likeness] : kCases) {
    Likeness known = Likeness::kUnclear;
    for (std::size_t size = 0; size <= bytes.size(); ++size) {
      const Likeness now = likeness_to_tls(std::string_view(bytes).substr(0, size));
      EXPECT_TRUE(known == Likeness::kUnclear || now == known) << name << ", " << size << " bytes";
      known = now;
    }
  }
}

}  // namespace
}  // namespace sbx::proxy
