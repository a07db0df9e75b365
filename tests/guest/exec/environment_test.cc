// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/exec/environment.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::guest {
namespace {

wire::GuestConfig with_network() {
  wire::GuestConfig config;
  config.network = wire::GuestNetwork{"pem", "0a1b2c3d"};
  return config;
}

TEST(Environment, TellsProgramsOfTheProxyAndItsAuthority) {
  const auto environment = environment_of(with_network(), {}, false);
  for (const char* name : {"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"})
    EXPECT_EQ(value_of(environment, name), "http://host.docker.internal:3128") << name;
  for (const char* name : {"NO_PROXY", "no_proxy"})
    EXPECT_EQ(value_of(environment, name), "localhost,127.0.0.1,::1") << name;
  EXPECT_EQ(value_of(environment, "NODE_USE_ENV_PROXY"), "");  // node would warn that it is experimental
  EXPECT_EQ(value_of(environment, "SSL_CERT_FILE"), "/etc/ssl/certs/ca-certificates.crt");
  EXPECT_EQ(value_of(environment, "NODE_EXTRA_CA_CERTS"), "/usr/local/share/ca-certificates/proxy-ca.crt");
}

TEST(Environment, OfTheUsersOwnWins) {
  wire::GuestConfig config = with_network();
  config.environment = {{"HTTPS_PROXY", "http://mine"}, {"SSL_CERT_FILE", ""}};
  auto environment = environment_of(config, {}, false);
  add(environment, {{"NO_PROXY", "*"}, {"NO", "1"}, {"NO", "2"}});
  EXPECT_EQ(value_of(environment, "HTTPS_PROXY"), "http://mine");
  EXPECT_EQ(value_of(environment, "NO_PROXY"), "*");
  EXPECT_EQ(value_of(environment, "SSL_CERT_FILE"), "");
  EXPECT_EQ(value_of(environment, "NO"), "2");  // and not what begins like it
  EXPECT_EQ(std::ranges::count_if(environment, [](const auto& v) { return v.starts_with("HTTPS_PROXY="); }), 1);
  EXPECT_EQ(std::ranges::count_if(environment, [](const auto& v) { return v.starts_with("NO="); }), 1);
}

TEST(Environment, TakesFromTheUsersTerminalWhatTheSandboxDoesNotSayItself) {
  wire::GuestConfig config;
  config.environment = {{"LANG", "C"}};
  auto environment = environment_of(config, {}, true);
  add_preferences(environment, config, {{"LANG", "C.UTF-8"}, {"LC_ALL", "C.UTF-8"}, {"COLORTERM", "truecolor"}});
  EXPECT_EQ(value_of(environment, "LANG"), "C");
  EXPECT_EQ(value_of(environment, "LC_ALL"), "C.UTF-8");
  EXPECT_EQ(value_of(environment, "COLORTERM"), "truecolor");
}

TEST(Environment, TakesNoLocaleOrTimeZoneThatTheGuestDoesNotHave) {
  testing::TemporaryDirectory root;
  ASSERT_TRUE(make_directories(root / "usr/lib/locale/de_DE.utf8"));
  ASSERT_TRUE(make_directories(root / "usr/share/zoneinfo/Europe"));
  ASSERT_TRUE(write_file(root / "usr/share/zoneinfo/Europe/Berlin", ""));
  const struct {
    const char *key, *value, *wanted;
  } kCases[] = {{"LC_ALL", "de_DE.UTF-8", "de_DE.UTF-8"},
                {"LC_ALL", "fr_FR.UTF-8", ""},
                {"LC_TIME", "../x", ""},
                {"TZ", "Europe/Berlin", "Europe/Berlin"},
                {"TZ", "Europe/Paris", ""},
                {"TZ", "CET-1CEST", "CET-1CEST"},
                {"TZ", "/etc/localtime", ""},
                {"TZ", "../../etc/x1", ""}};
  for (const auto& one : kCases) {
    Variables environment;
    add_preferences(environment, {}, {{one.key, one.value}}, root.path());
    EXPECT_EQ(value_of(environment, one.key), one.wanted) << one.value;
  }
}

TEST(Environment, WithoutANetworkHasNoProxy) {
  const auto environment = environment_of({}, {}, false);
  EXPECT_EQ(value_of(environment, "HTTP_PROXY"), "");
  EXPECT_EQ(value_of(environment, "SSL_CERT_FILE"), "");
}

}  // namespace
}  // namespace sbx::guest
