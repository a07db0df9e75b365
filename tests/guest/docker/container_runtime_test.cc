// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/docker/container_runtime.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/json.h"

namespace sbx::guest {
namespace {

using Words = std::vector<std::string>;

Json container(Json environment = Json::array()) {
  return {{"process", {{"env", std::move(environment)}}},
          {"mounts", {{{"destination", "/proc"}, {"type", "proc"}}, {{"destination", "/dev"}, {"type", "tmpfs"}}}}};
}

bool has(const Json& list, const std::string& text) {
  return std::find(list.begin(), list.end(), Json(text)) != list.end();
}

TEST(ContainerRuntime, FindsWhatACommandDescribes) {
  EXPECT_EQ(described_in(Words{"--root", "/r", "--log", "/l", "create", "--bundle", "/b", "--pid-file", "/p", "id"}),
            "/b/config.json");
  EXPECT_EQ(described_in(Words{"run", "--bundle=/b", "id"}), "/b/config.json");
  EXPECT_EQ(described_in(Words{"run", "id"}), "config.json");
  EXPECT_EQ(described_in(Words{"--root", "/r", "exec", "--process", "/p.json", "--detach", "id"}), "/p.json");
  EXPECT_EQ(described_in(Words{"exec", "id", "sh"}), "");
  EXPECT_EQ(described_in(Words{"--version"}), "");
  EXPECT_EQ(described_in(Words{"delete", "id"}), "");
}

TEST(ContainerRuntime, PutsTheAuthorityIntoTheContainersOwnDevices) {
  const Json made = with_authority(container());
  ASSERT_EQ(made["mounts"].size(), 7u);
  EXPECT_EQ(made["mounts"][2]["destination"], "/dev/.sandbox/ca-certificates.crt");
  EXPECT_TRUE(has(made["mounts"][2]["options"], "ro"));
  EXPECT_TRUE(has(made["process"]["env"], "SSL_CERT_FILE=/dev/.sandbox/ca-certificates.crt"));
  EXPECT_TRUE(has(made["process"]["env"], "NODE_EXTRA_CA_CERTS=/dev/.sandbox/proxy-ca.crt"));
}

TEST(ContainerRuntime, TellsWhatReadsOnlyAStoreOfItsOwn) {
  const Json made = with_authority(container({"APT_CONFIG=/own.conf"}));
  const Json& variables = made["process"]["env"];
  EXPECT_TRUE(has(variables, "WGETRC=/dev/.sandbox/wgetrc"));
  EXPECT_TRUE(has(variables, "JAVA_TOOL_OPTIONS=-Djavax.net.ssl.trustStore=/dev/.sandbox/cacerts"));
  EXPECT_FALSE(has(variables, "APT_CONFIG=/dev/.sandbox/apt.conf"));
  EXPECT_EQ(made["mounts"][6]["source"], "/run/sandbox/trust/cacerts");
  EXPECT_EQ(made["mounts"][6]["destination"], "/dev/.sandbox/cacerts");
}

TEST(ContainerRuntime, LeavesTheVariablesOfTheImageAlone) {
  const Json made = with_authority(container({"SSL_CERT_FILE=/own.pem", "SSL_CERT_FILE_X=1"}));
  EXPECT_TRUE(has(made["process"]["env"], "SSL_CERT_FILE=/own.pem"));
  EXPECT_FALSE(has(made["process"]["env"], "SSL_CERT_FILE=/dev/.sandbox/ca-certificates.crt"));
}

TEST(ContainerRuntime, AddsAnOptionToThoseOfTheImageUnlessItHasItsOwn) {
  const Json added = with_authority(container({"JAVA_TOOL_OPTIONS=-Xmx64m"}));
  EXPECT_EQ(added["process"]["env"][0], "JAVA_TOOL_OPTIONS=-Xmx64m -Djavax.net.ssl.trustStore=/dev/.sandbox/cacerts");
  EXPECT_EQ(with_authority(added)["process"]["env"], added["process"]["env"]);
  const Json own = with_authority(container({"JAVA_TOOL_OPTIONS=-Djavax.net.ssl.trustStore=/own"}));
  EXPECT_EQ(own["process"]["env"][0], "JAVA_TOOL_OPTIONS=-Djavax.net.ssl.trustStore=/own");
}

TEST(ContainerRuntime, TellsWhatIsRunInAContainerLater) {
  const Json made = with_authority({{"args", {"sh"}}, {"env", {"A=b"}}});
  EXPECT_TRUE(has(made["env"], "GIT_SSL_CAINFO=/dev/.sandbox/ca-certificates.crt"));
  EXPECT_FALSE(made.contains("mounts"));
}

TEST(ContainerRuntime, AddsNothingWhereTheDevicesAreNotTheContainersOwn) {
  Json shared = container();
  shared["mounts"][1]["type"] = "bind";
  EXPECT_EQ(with_authority(shared), shared);
  EXPECT_EQ(with_authority(Json::array({1})), Json::array({1}));
}

TEST(ContainerRuntime, IsKnownByItsName) {
  std::string runc = "/run/sandbox/bin/runc";
  std::string init = "/.sandbox-init";
  char* as_runc[] = {runc.data()};
  char* as_init[] = {init.data()};
  EXPECT_TRUE(is_runtime(1, as_runc));
  EXPECT_FALSE(is_runtime(1, as_init));
}

}  // namespace
}  // namespace sbx::guest
