// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/openclaw/session_request.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "openclaw/dialect.h"
#include "openclaw/json5.h"

namespace sbx::cli {
namespace {

openclaw::Settings settings_of(const std::string& sandbox) {
  const auto document = openclaw::parse_json5("{agents: {defaults: {sandbox: " + sandbox + "}}}");
  return *openclaw::read_settings(*document, "main", "/home/u");
}

wire::CreateRequest request_for(const std::string& sandbox, const char* key = "agent:main:group:1") {
  const openclaw::Settings settings = settings_of(sandbox);
  return session_request(settings, openclaw::decide(settings, *openclaw::parse_session(key, {}), "bash"));
}

std::string hash_of(const std::string& sandbox) { return request_for(sandbox).labels.at(0).second; }

TEST(SessionRequest, HasTheLimitsOfTheConfiguration) {
  const auto request = request_for(
      "{resources: {memory: '512m', cpus: '1'}, tmpDir: {size: '100m'}, prune: {idleHours: 1, maxAgeDays: 2}}");
  EXPECT_EQ(request.limits.memory, 512 << 20);
  EXPECT_EQ(request.limits.cpus, 1);
  EXPECT_EQ(request.limits.tmp, 100 << 20);
  EXPECT_EQ(request.idle_stop_s, 3600);
  EXPECT_EQ(request.ttl_s, 2 * 86400);
  EXPECT_EQ(request.docker, wire::DockerMode::kOff);
}

TEST(SessionRequest, HasAWorkspaceOfTheSessionsOwnUnlessAMountTakesItsPlace) {
  const auto own = request_for("{}");
  ASSERT_EQ(own.mounts.size(), 1u);
  EXPECT_TRUE(own.mounts[0].source.starts_with("/home/u/.openclaw/sandboxes/agent-main-group-1-"));
  EXPECT_EQ(own.mounts[0].target, "/workspace");
  EXPECT_EQ(own.directory, "/workspace");
  const auto taken = request_for("{mounts: [{source: '~/p', target: '/workspace', readonly: true}]}");
  ASSERT_EQ(taken.mounts.size(), 1u);
  EXPECT_EQ(taken.mounts[0].source, "/home/u/p");
  EXPECT_TRUE(taken.mounts[0].readonly);
}

TEST(SessionRequest, SharesTheAgentsWorkspaceAsFarAsItIsAllowed) {
  const auto reading = request_for("{workspaceAccess: 'ro'}");
  ASSERT_EQ(reading.mounts.size(), 2u);
  EXPECT_EQ(reading.mounts[1].target, "/agent");
  EXPECT_TRUE(reading.mounts[1].readonly);
  const auto writing = request_for("{workspaceAccess: 'rw'}");
  ASSERT_EQ(writing.mounts.size(), 1u);
  EXPECT_EQ(writing.mounts[0].source, "/home/u/.openclaw/workspace");
}

TEST(SessionRequest, IsTheSameForTheSameSettingsOnly) {
  EXPECT_EQ(hash_of("{mode: 'all'}"), hash_of("{mode: 'non-main', tools: {deny: []}}"));
  EXPECT_NE(hash_of("{}"), hash_of("{network: {allowlist: ['a.example']}}"));
  EXPECT_NE(hash_of("{}"), hash_of("{docker: {setupCommand: 'true'}}"));
  EXPECT_NE(hash_of("{}"), hash_of("{tmpDir: {size: '1m'}}"));
}

TEST(SessionRequest, DeniesTheNetworkBeforeItAllowsAnyOfIt) {
  const auto edits = session_policy(settings_of("{network: {allowlist: ['a.example']}}"));
  ASSERT_EQ(edits.size(), 3u);
  EXPECT_EQ(edits[0].name, "reset");
  EXPECT_EQ(edits[1].value, "deny");
  EXPECT_EQ(edits[2].value, "a.example");
  EXPECT_EQ(session_policy(settings_of("{}")).size(), 2u);
  EXPECT_TRUE(session_policy(settings_of("{network: true}")).empty());
}

}  // namespace
}  // namespace sbx::cli
