// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "openclaw/dialect.h"

#include "base/format.h"
#include "base/json.h"
#include "base/text.h"
#include "openclaw/agents.h"
#include "openclaw/bind_rules.h"
#include "openclaw/docker_dialect.h"
#include "openclaw/keys.h"
#include "openclaw/section.h"
#include "openclaw/tool_dialect.h"
#include "policy/pattern.h"

namespace sbx::openclaw {
namespace {

constexpr const char* kDefaultsPath = "agents.defaults";
constexpr const char* kSandboxPath = "agents.defaults.sandbox";

// One key says it, not both: they would have to agree.
Result<> only_one(const Section& one, const char* key, const Section& other, const char* other_key) {
  if (one.find(key) == nullptr || other.find(other_key) == nullptr) return Ok{};
  return fail(Code::kInvalid,
              sbx::format("{} and {} say the same: leave one out", one.path_of(key), other.path_of(other_key)));
}

Result<> read_scope(const Section& sandbox, Settings& settings) {
  settings.mode_given = sandbox.find("mode") != nullptr;
  TRY(sandbox.word("mode", settings.mode));
  bool per_session = true;
  TRY(sandbox.boolean("perSession", per_session));
  if (!per_session) settings.scope = Scope::kShared;
  TRY(sandbox.word("scope", settings.scope));
  return sandbox.word("workspaceAccess", settings.workspace_access);
}

// What another program than this one would have to do.
Result<> refuse_what_is_not_there(const Section& sandbox) {
  std::string backend = "docker";
  TRY(sandbox.text("backend", backend));
  if (backend != "docker" && backend != "podman" && backend != "sandboxd")
    return fail(Code::kInvalid, sandbox.path_of("backend") + ": " + printable(backend) + " is not run by this program",
                "docker: it means the sandboxes of this program");
  if (sandbox.find("ssh") != nullptr)
    return fail(Code::kInvalid, sandbox.path_of("ssh") + ": sandboxes on other machines are not made by this program");
  if (const Json* browser = sandbox.find("browser"); browser != nullptr && browser->is_object())
    if (browser->contains("enabled") && (*browser)["enabled"] != false)
      return fail(Code::kInvalid, sandbox.path_of("browser") + ".enabled: a browser in a sandbox is not made here");
  return Ok{};
}

Result<> read_timeout(const Section& resources, Settings& settings) {
  const Json* value = resources.find("timeout");
  if (value == nullptr) return Ok{};
  std::optional<std::int64_t> seconds;
  if (value->is_number_integer()) seconds = value->get<std::int64_t>();
  if (value->is_string()) seconds = parse_duration(value->get<std::string>());
  constexpr std::int64_t kLongest = 365 * 24 * 60 * 60;
  if (!seconds || *seconds < 0 || *seconds > kLongest)
    return resources.mistyped("timeout", "a number of seconds, or a time such as \"5m\"; 0 for none");
  settings.timeout_s = *seconds;
  return Ok{};
}

Result<> read_resources(const Section& sandbox, const Section& docker, Settings& settings) {
  TRY_ASSIGN(const Section resources,
             Section::open(sandbox.find("resources"), sandbox.path_of("resources"), resources_keys()));
  TRY(only_one(resources, "memory", docker, "memory"));
  TRY(only_one(resources, "cpus", docker, "cpus"));
  TRY(resources.size("memory", settings.memory));
  TRY(resources.number("cpus", settings.cpus));
  return read_timeout(resources, settings);
}

Result<> read_network(const Section& sandbox, const Section& docker, Settings& settings) {
  TRY(only_one(sandbox, "network", docker, "network"));
  const Json* value = sandbox.find("network");
  if (value == nullptr) return Ok{};
  if (value->is_boolean()) {
    settings.reachable = value->get<bool>() ? Reachable::kByPolicy : Reachable::kNothing;
    return Ok{};
  }
  if (!value->is_object()) return sandbox.mistyped("network", "true, false or { allowlist: [...] }");
  TRY_ASSIGN(const Section network, Section::open(value, sandbox.path_of("network"), network_keys()));
  std::optional<std::vector<std::string>> hosts;
  TRY(network.texts("allowlist", hosts));
  if (!hosts) return network.mistyped("allowlist", "a list of hosts");
  for (const std::string& host : *hosts) {
    auto pattern = policy::Pattern::parse(host);
    if (!pattern) return fail(std::move(pattern).error().within(network.path_of("allowlist")).as(Code::kInvalid));
  }
  settings.reachable = Reachable::kListed;
  settings.allowed_hosts = std::move(*hosts);
  return Ok{};
}

Result<SharedPath> read_mount(const Json& item, const std::string& path, const std::string& home) {
  if (!item.is_object()) return fail(Code::kInvalid, path + ": must be a list of { source, target, readonly }");
  TRY_ASSIGN(const Section mount, Section::open(&item, path, mount_keys()));
  SharedPath shared;
  TRY(mount.text("source", shared.source));
  TRY(mount.text("target", shared.target));
  TRY(mount.boolean("readonly", shared.readonly));
  return checked_bind(std::move(shared), home, path);
}

Result<> read_mounts(const Section& sandbox, const std::string& home, Settings& settings) {
  const Json* list = sandbox.find("mounts");
  if (list == nullptr) return Ok{};
  if (!list->is_array()) return sandbox.mistyped("mounts", "a list of { source, target, readonly }");
  for (std::size_t i = 0; i < list->size(); ++i) {
    TRY_ASSIGN(SharedPath mount, read_mount((*list)[i], sbx::format("{}[{}]", sandbox.path_of("mounts"), i), home));
    settings.mounts.push_back(std::move(mount));
  }
  return Ok{};
}

Result<> read_tmp_dir(const Section& sandbox, Settings& settings) {
  TRY_ASSIGN(const Section tmp, Section::open(sandbox.find("tmpDir"), sandbox.path_of("tmpDir"), tmp_dir_keys()));
  if (tmp.find("size") != nullptr && settings.tmp.bytes != 0)
    return fail(Code::kInvalid, tmp.path_of("size") + " and docker.tmpfs say the same: leave one out");
  TRY(tmp.size("size", settings.tmp.bytes));
  TRY(tmp.boolean("persist", settings.tmp.persist));
  if (settings.tmp.persist && settings.tmp.bytes != 0)
    return fail(
        Code::kInvalid,
        sandbox.path_of("tmpDir") + ": a size holds for a directory in memory, and one that persists is on the disk",
        "leave out size, or persist");
  return Ok{};
}

Result<> read_prune(const Section& sandbox, Settings& settings) {
  TRY_ASSIGN(const Section prune, Section::open(sandbox.find("prune"), sandbox.path_of("prune"), prune_keys()));
  TRY(prune.number("idleHours", settings.prune.idle_hours));
  return prune.number("maxAgeDays", settings.prune.max_age_days);
}

Result<std::string> agent_workspace(const Json* defaults, const Json* entry, const std::string& agent,
                                    const std::string& usual, const std::string& home) {
  for (const Json* place : {entry, agent == usual ? defaults : nullptr}) {
    if (place == nullptr || !place->contains("workspace")) continue;
    const Json& path = place->at("workspace");
    if (!path.is_string()) return fail(Code::kInvalid, "workspace of agent " + agent + ": must be a path");
    return expanded_path(path.get<std::string>(), home, "workspace of agent " + agent);
  }
  return home + "/.openclaw/workspace" + (agent == usual ? "" : "-" + agent);
}

struct SandboxObjects {
  const Json* defaults = nullptr;  // agents.defaults
  const Json* entry = nullptr;     // of the agent
  Json merged;
};

Result<SandboxObjects> sandbox_objects(const Json& document, const std::string& agent) {
  SandboxObjects objects;
  const std::string entry_path = "agents.entries." + agent;
  TRY_ASSIGN(objects.defaults, agent_defaults(document));
  TRY_ASSIGN(objects.entry, agent_entry(document, agent));
  if (objects.defaults != nullptr) TRY(check_not_misspelt(*objects.defaults, kDefaultsPath, "sandbox"));
  if (objects.entry != nullptr) TRY(check_not_misspelt(*objects.entry, entry_path, "sandbox"));
  TRY_ASSIGN(const Json* below, object_in(objects.defaults, kDefaultsPath, "sandbox"));
  TRY_ASSIGN(const Json* above, object_in(objects.entry, entry_path, "sandbox"));
  TRY(Section::open(below, kSandboxPath, sandbox_keys()));
  TRY(Section::open(above, entry_path + ".sandbox", sandbox_keys()));
  objects.merged = merged_sandbox(below, above);
  return objects;
}

}  // namespace

Result<KeyRules> read_key_rules(const Json& document) {
  if (!document.is_object()) return fail(Code::kInvalid, "the configuration must be an object, { ... }");
  KeyRules rules;
  TRY_ASSIGN(rules.usual_agent, usual_agent(document));
  TRY_ASSIGN(const Json* session, object_in(&document, "", "session"));
  if (session == nullptr) return rules;
  if (session->contains("mainKey")) {
    const Json& key = session->at("mainKey");
    if (!key.is_string() || trimmed(key.get<std::string>()).empty())
      return fail(Code::kInvalid, "session.mainKey: must be a text in quotes");
    rules.main_key = key.get<std::string>();
  }
  rules.is_global = session->contains("scope") && session->at("scope") == "global";
  return rules;
}

Result<Settings> read_settings(const Json& document, const std::string& agent, const std::string& home) {
  TRY_ASSIGN(const KeyRules rules, read_key_rules(document));
  TRY_ASSIGN(const SandboxObjects objects, sandbox_objects(document, agent));
  TRY_ASSIGN(const Section sandbox, Section::open(&objects.merged, kSandboxPath, sandbox_keys()));
  TRY_ASSIGN(const Section docker, Section::open(sandbox.find("docker"), sandbox.path_of("docker"), docker_keys()));
  Settings settings;
  TRY(refuse_what_is_not_there(sandbox));
  TRY(read_scope(sandbox, settings));
  settings.workspace_root = home + "/.openclaw/sandboxes";
  TRY(sandbox.text("workspaceRoot", settings.workspace_root));
  TRY_ASSIGN(settings.workspace_root, expanded_path(settings.workspace_root, home, sandbox.path_of("workspaceRoot")));
  TRY_ASSIGN(settings.agent_workspace,
             agent_workspace(objects.defaults, objects.entry, agent, rules.usual_agent, home));
  TRY(only_one(sandbox, "baseImage", docker, "image"));
  TRY(sandbox.text("baseImage", settings.image));
  TRY(read_docker(docker, home, settings));
  TRY(read_resources(sandbox, docker, settings));
  TRY(read_network(sandbox, docker, settings));
  TRY(read_mounts(sandbox, home, settings));
  TRY(read_tmp_dir(sandbox, settings));
  TRY(read_prune(sandbox, settings));
  TRY_ASSIGN(settings.tools, read_tools(document, objects.entry, sandbox, "agents.entries." + agent));
  return settings;
}

}  // namespace sbx::openclaw
