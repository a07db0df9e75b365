// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/exec/environment.h"

#include <gtest/gtest.h>

#include <algorithm>

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
  EXPECT_EQ(value_of(environment, "NODE_USE_ENV_PROXY"), "1");
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

TEST(Environment, WithoutANetworkHasNoProxy) {
  const auto environment = environment_of({}, {}, false);
  EXPECT_EQ(value_of(environment, "HTTP_PROXY"), "");
  EXPECT_EQ(value_of(environment, "SSL_CERT_FILE"), "");
}

}  // namespace
}  // namespace sbx::guest
