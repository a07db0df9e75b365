// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "openclaw/dialect.h"

#include <gtest/gtest.h>

#include <string>

#include "base/json.h"
#include "openclaw/json5.h"

namespace sbx::openclaw {
namespace {

constexpr const char* kHome = "/home/u";

Result<Settings> read_document(const std::string& text, const std::string& agent = "main") {
  TRY_ASSIGN(const Json document, parse_json5(text));
  return read_settings(document, agent, kHome);
}

// `sandbox` of agents.defaults.
Result<Settings> read(const std::string& sandbox) {
  return read_document("{ agents: { defaults: { sandbox: " + sandbox + " } } }");
}

std::string error_of(const Result<Settings>& settings) {
  if (settings) return "";
  return settings.error().what() + (settings.error().hint().empty() ? "" : " | " + settings.error().hint());
}

// The examples of the dialect's page, one by one.
TEST(Dialect, HasTheThreeModes) {
  EXPECT_EQ(read("{ mode: \"non-main\", }")->mode, Mode::kNonMain);
  EXPECT_EQ(read("{ mode: \"all\", }")->mode, Mode::kAll);
  EXPECT_EQ(read("{ mode: \"off\", }")->mode, Mode::kOff);
  EXPECT_EQ(error_of(read("{ mode: 'nonmain' }")),
            "agents.defaults.sandbox.mode: nonmain is none of off, non-main, all | non-main");
}

TEST(Dialect, WithoutAModeSandboxesAll) {
  for (const char* text : {"{}", "{agents: {}}", "{agents: {defaults: {sandbox: {network: false}}}}"}) {
    EXPECT_EQ(read_document(text)->mode, Mode::kAll) << text;
    EXPECT_FALSE(read_document(text)->mode_given) << text;
  }
}

TEST(Dialect, HasListsOfTools) {
  const auto settings = read(R"({
        mode: "non-main",
        tools: {
          allow: ["read", "write", "bash"],
          deny: ["browser", "canvas", "elevated"],
        },
      })");
  ASSERT_TRUE(settings);
  ASSERT_EQ(settings->tools.size(), 1u);
  EXPECT_EQ(settings->tools[0].allow.entries, (std::vector<std::string>{"read", "write", "bash"}));
  EXPECT_EQ(settings->tools[0].deny.entries, (std::vector<std::string>{"browser", "canvas", "elevated"}));
  EXPECT_EQ(settings->tools[0].deny.key, "agents.defaults.sandbox.tools.deny");
}

TEST(Dialect, HasAnImage) {
  EXPECT_EQ(read("{ baseImage: \"openclaw/sandbox:latest\", }")->image, "openclaw/sandbox:latest");
  EXPECT_EQ(read("{ baseImage: \"my-custom-sandbox:v1\", }")->image, "my-custom-sandbox:v1");
  EXPECT_EQ(read("{ docker: { image: 'x:1' } }")->image, "x:1");
  EXPECT_EQ(error_of(read("{ baseImage: 'a', docker: { image: 'b' } }")),
            "agents.defaults.sandbox.baseImage and agents.defaults.sandbox.docker.image say the same: leave one out");
}

TEST(Dialect, HasResources) {
  const auto settings = read("{ resources: { memory: \"512m\", cpus: \"1\", timeout: 300, }, }");
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->memory, 512 << 20);
  EXPECT_EQ(settings->cpus, 1);
  EXPECT_EQ(settings->timeout_s, 300);
  EXPECT_EQ(read("{ resources: { timeout: '5m', cpus: 0.5 } }")->timeout_s, 300);
  for (const char* text : {"{ resources: { memory: 'lots' } }", "{ resources: { memory: -1 } }",
                           "{ resources: { cpus: 'two' } }", "{ resources: { cpus: -1 } }",
                           "{ resources: { timeout: -1 } }", "{ resources: { timeout: 'soon' } }", "{ resources: 1 }"})
    EXPECT_FALSE(read(text)) << text;
}

TEST(Dialect, HasANetwork) {
  EXPECT_EQ(read("{}")->reachable, Reachable::kNothing);
  EXPECT_EQ(read("{ network: false, }")->reachable, Reachable::kNothing);
  EXPECT_EQ(read("{ network: true }")->reachable, Reachable::kByPolicy);
  const auto listed = read("{ network: { allowlist: [\"api.example.com\", \"cdn.example.com\"], }, }");
  ASSERT_TRUE(listed);
  EXPECT_EQ(listed->reachable, Reachable::kListed);
  EXPECT_EQ(listed->allowed_hosts, (std::vector<std::string>{"api.example.com", "cdn.example.com"}));
  for (const char* text : {"{ network: 'none' }", "{ network: {} }", "{ network: { allowlist: ['a b'] } }",
                           "{ network: { allowlist: 'x' } }", "{ network: { alowlist: [] } }", "{ network: null }",
                           "{ docker: { network: 'host' } }", "{ docker: { network: 'container:x' } }",
                           "{ docker: { network: 'mine' } }", "{ network: false, docker: { network: 'none' } }"})
    EXPECT_FALSE(read(text)) << text;
}

TEST(Dialect, HasMounts) {
  const auto settings = read("{ mounts: [ { source: \"~/projects\", target: \"/workspace\", readonly: true, }, ], }");
  ASSERT_TRUE(settings) << error_of(settings);
  ASSERT_EQ(settings->mounts.size(), 1u);
  EXPECT_EQ(settings->mounts[0].source, "/home/u/projects");
  EXPECT_EQ(settings->mounts[0].target, "/workspace");
  EXPECT_TRUE(settings->mounts[0].readonly);
  const auto bound = read("{ docker: { binds: ['/srv/data:/data:ro', '~/x:/x'] } }");
  ASSERT_TRUE(bound) << error_of(bound);
  EXPECT_TRUE(bound->mounts[0].readonly);
  EXPECT_FALSE(bound->mounts[1].readonly);
}

TEST(Dialect, SharesNoDirectoryOfTheSystemOrOfCredentials) {
  for (const char* source : {"/",
                             "/etc",
                             "/etc/ssl",
                             "/proc",
                             "/sys/fs",
                             "/dev",
                             "/boot",
                             "/root",
                             "/run/docker.sock",
                             "/var/run/docker.sock",
                             "/usr/lib",
                             "~",
                             "~/",
                             "/home",
                             "/home/u/.",
                             "~/.ssh",
                             "~/.aws/x",
                             "~/.docker/sandboxes",
                             "~/.openclaw",
                             "~/.openclaw/credentials",
                             "~/x/../.ssh",
                             "/srv/../etc",
                             "relative",
                             "~other/x",
                             "",
                             "/tmp"}) {
    EXPECT_FALSE(read("{ mounts: [{ source: '" + std::string(source) + "', target: '/x' }] }")) << source;
    EXPECT_FALSE(read("{ docker: { binds: ['" + std::string(source) + ":/x:ro'] } }")) << source;
  }
  EXPECT_FALSE(read("{ mounts: [{ source: '~/x', target: 'x' }] }"));
  EXPECT_FALSE(read("{ mounts: [{ source: '~/x' }] }"));
  EXPECT_FALSE(read("{ mounts: [{ source: '~/x', target: '/x', readOnly: true }] }"));
}

TEST(Dialect, HasATemporaryDirectory) {
  const auto settings = read("{ tmpDir: { size: \"100m\", persist: false, }, }");
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->tmp.bytes, 100 << 20);
  EXPECT_FALSE(settings->tmp.persist);
  EXPECT_TRUE(read("{ tmpDir: { persist: true } }")->tmp.persist);
  EXPECT_EQ(read("{ docker: { tmpfs: ['/tmp:rw,size=64m', '/run'] } }")->tmp.bytes, 64 << 20);
  EXPECT_FALSE(read("{ tmpDir: { size: '1m', persist: true } }"));
  EXPECT_FALSE(read("{ tmpDir: { size: '1m' }, docker: { tmpfs: ['/tmp:size=2m'] } }"));
  EXPECT_FALSE(read("{ docker: { tmpfs: ['/var/lib'] } }"));
}

TEST(Dialect, HasOpenclawsOwnKeys) {
  const auto settings = read(R"({
    mode: "all", backend: "docker", scope: "agent", workspaceAccess: "rw", workspaceRoot: "~/boxes",
    docker: { containerPrefix: "oc-", workdir: "/work", readOnlyRoot: true, network: "none", user: "1000:1000",
              capDrop: ["ALL"], env: { LANG: "C.UTF-8" }, setupCommand: ["true", "false"], pidsLimit: 256,
              memory: "1g", memorySwap: "2g", cpus: 1, dns: ["1.1.1.1"], extraHosts: ["db:192.0.2.1"] },
    browser: { enabled: false }, prune: { idleHours: 1, maxAgeDays: 0 }, sessionToolsVisibility: "spawned" })");
  ASSERT_TRUE(settings) << error_of(settings);
  EXPECT_EQ(settings->scope, Scope::kAgent);
  EXPECT_EQ(settings->workspace_access, WorkspaceAccess::kReadWrite);
  EXPECT_EQ(settings->workspace_root, "/home/u/boxes");
  EXPECT_EQ(settings->agent_workspace, "/home/u/.openclaw/workspace");
  EXPECT_EQ(settings->setup_command, "true\nfalse");
  EXPECT_EQ(settings->pids, 256);
  EXPECT_EQ(settings->memory, 1 << 30);
  EXPECT_EQ(settings->hosts.at(0).second, "192.0.2.1");
  EXPECT_EQ(settings->prune.idle_hours, 1);
  EXPECT_EQ(settings->prune.max_age_days, 0);
  EXPECT_EQ(settings->notes.size(), 4u);  // readOnlyRoot, capDrop, dns, memorySwap
  EXPECT_EQ(read("{ perSession: false }")->scope, Scope::kShared);
}

TEST(Dialect, RefusesWhatWouldWeakenASandboxOrIsNotThere) {
  for (const char* text :
       {"{ docker: { seccompProfile: 'unconfined' } }", "{ docker: { apparmorProfile: 'unconfined' } }",
        "{ docker: { dangerouslyAllowContainerNamespaceJoin: true } }", "{ docker: { gpus: 'all' } }",
        "{ docker: { ulimits: { nofile: 5 } } }", "{ docker: { workspaceMountPropagation: 'rshared' } }",
        "{ backend: 'ssh' }", "{ ssh: {} }", "{ browser: { enabled: true } }",
        "{ docker: { containerPrefix: '../x' } }", "{ docker: { workdir: 'x' } }", "{ docker: { env: { A: 1 } } }",
        "{ docker: { extraHosts: ['x'] } }"})
    EXPECT_FALSE(read(text)) << text;
}

TEST(Dialect, NamesTheKeyThatWasMeant) {
  EXPECT_EQ(error_of(read("{ netwrok: false }")), "agents.defaults.sandbox.netwrok: there is no such key | network");
  EXPECT_EQ(error_of(read("{ tmpdir: {} }")), "agents.defaults.sandbox.tmpdir: there is no such key | tmpDir");
  EXPECT_EQ(error_of(read("{ docker: { iamge: 'x' } }")),
            "agents.defaults.sandbox.docker.iamge: there is no such key | image");
  EXPECT_EQ(error_of(read("{ tools: { alow: [] } }")),
            "agents.defaults.sandbox.tools.alow: there is no such key | allow");
  EXPECT_EQ(error_of(read_document("{ agents: { defaults: { sandbx: { mode: 'all' } } } }")),
            "agents.defaults.sandbx: there is no such key | sandbox");
  EXPECT_EQ(error_of(read_document("{ agents: { default: {} } }")), "agents.default: there is no such key | defaults");
  EXPECT_EQ(error_of(read_document("{ agent: {} }")), "agent: there is no such key | agents");
  EXPECT_FALSE(read_document("{ agents: { $include: './x.json5' } }"));
  EXPECT_FALSE(read_document("[]"));
}

TEST(Dialect, LaysAnAgentOverTheDefaults) {
  const std::string text = R"({ agents: {
    defaults: { workspace: "/srv/ws", sandbox: { mode: "off", docker: { env: { A: "1", B: "1" }, binds: ["/srv/a:/a"] } } },
    entries: { work: { sandbox: { mode: "all", docker: { env: { B: "2" }, binds: ["/srv/b:/b"] } } } } } })";
  EXPECT_EQ(read_document(text)->mode, Mode::kOff);
  EXPECT_EQ(read_document(text)->agent_workspace, "/srv/ws");
  const auto work = read_document(text, "work");
  ASSERT_TRUE(work) << error_of(work);
  EXPECT_EQ(work->mode, Mode::kAll);
  EXPECT_EQ(work->agent_workspace, "/home/u/.openclaw/workspace-work");
  EXPECT_EQ(work->environment, (std::vector<std::pair<std::string, std::string>>{{"A", "1"}, {"B", "2"}}));
  EXPECT_EQ(work->mounts.size(), 2u);
  const auto listed = read_document("{ agents: { list: [{ id: 'fam', sandbox: { mode: 'non-main' } }] } }", "fam");
  EXPECT_EQ(listed->mode, Mode::kNonMain);
  EXPECT_FALSE(read_document("{ agents: { list: [{ id: 'fam', sandbox: { mod: 'all' } }] } }", "fam"));
}

TEST(Dialect, AnAgentIsTheSameInSmallAndLargeLetters) {
  const std::string text =
      "{ agents: { defaults: { sandbox: { mode: 'off' } }, list: [{ id: 'Family', default: true, "
      "sandbox: { mode: 'all' } }] } }";
  EXPECT_EQ(read_document(text, "family")->mode, Mode::kAll);
  EXPECT_EQ(read_key_rules(*parse_json5(text))->usual_agent, "family");
  const std::string entries =
      "{ agents: { defaults: { sandbox: { mode: 'off' } }, entries: { Work: { sandbox: { mode: "
      "'all' } } } } }";
  EXPECT_EQ(read_document(entries, "work")->mode, Mode::kAll);
  EXPECT_EQ(error_of(read_document("{ agents: { list: [{ id: 'a' }, { id: 'A' }] } }", "a")),
            "agents.list: the agent a is there twice");
  EXPECT_FALSE(read_document("{ agents: { entries: { a: {}, A: {} } } }", "a"));
}

TEST(Dialect, OfASharedSandboxAnAgentSaysOnlyWhoUsesIt) {
  const auto work = read_document(R"({ agents: {
    defaults: { sandbox: { scope: "shared", docker: { image: "a" } } },
    entries: { work: { sandbox: { mode: "non-main", docker: { image: "b" }, network: true } } } } })",
                                  "work");
  ASSERT_TRUE(work);
  EXPECT_EQ(work->image, "a");
  EXPECT_EQ(work->reachable, Reachable::kNothing);
  EXPECT_EQ(work->mode, Mode::kNonMain);
}

TEST(Dialect, FindsToolsInOnePlaceOnly) {
  EXPECT_EQ(read_document("{ tools: { sandbox: { tools: { deny: ['bash'] } } } }")->tools.back().deny.key,
            "tools.sandbox.tools.deny");
  EXPECT_FALSE(read_document(
      "{ tools: { sandbox: { tools: { deny: [] } } }, agents: { defaults: { sandbox: { tools: { deny: [] } } } } }"));
  EXPECT_FALSE(read("{ tools: { allow: ['read'], alsoAllow: ['write'] } }"));
  EXPECT_EQ(read_document("{ tools: { deny: ['exec'], exec: { host: 'x' } } }")->tools.size(), 2u);
  EXPECT_FALSE(read_document("{ tools: { dney: ['exec'] } }"));
  EXPECT_FALSE(read_document("{ tools: { profile: 'most' } }"));
}

TEST(Dialect, HasRulesForKeys) {
  const auto rules =
      read_key_rules(*parse_json5("{ session: { mainKey: 'home', scope: 'global' }, agents: { list: [{ id: 'a' }, { "
                                  "id: 'b', default: true }] } }"));
  ASSERT_TRUE(rules);
  EXPECT_EQ(rules->main_key, "home");
  EXPECT_TRUE(rules->is_global);
  EXPECT_EQ(rules->usual_agent, "b");
}

}  // namespace
}  // namespace sbx::openclaw
