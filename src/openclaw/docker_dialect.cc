// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "openclaw/docker_dialect.h"

#include <algorithm>
#include <string_view>

#include "base/format.h"
#include "base/json.h"
#include "base/text.h"
#include "openclaw/bind_rules.h"

namespace sbx::openclaw {
namespace {

struct Otherwise {
  const char* key;
  std::string_view how;
};

// What every sandbox has in its own way.
constexpr Otherwise kHeldOtherwise[] = {
    {"readOnlyRoot", "the root is the sandbox's own copy, and goes with it"},
    {"capDrop", "commands run as an ordinary user of a user namespace or machine of the sandbox's own"},
    {"seccompProfile", "the sandbox has its own filter of system calls"},
    {"apparmorProfile", "the sandbox has its own walls"},
    {"dns", "names are resolved on the host, by the network policy"},
    {"memorySwap", "a sandbox has no swap"},
};

// What cannot be had, and why.
constexpr Otherwise kNotThere[] = {
    {"gpus", "a sandbox has no device of the host's"},
    {"ulimits", "docker.pidsLimit, docker.memory and tmpDir.size bound a session"},
};

constexpr const char* kDangers[] = {"dangerouslyAllowReservedContainerTargets", "dangerouslyAllowExternalBindSources",
                                    "dangerouslyAllowContainerNamespaceJoin"};

Result<> refuse_weaker(const Section& docker) {
  for (const auto& [key, why] : kNotThere)
    if (docker.find(key) != nullptr)
      return fail(Code::kInvalid, sbx::format("{} is not supported: {}", docker.path_of(key), why));
  for (const char* key : kDangers) {
    bool wanted = false;
    TRY(docker.boolean(key, wanted));
    if (wanted) return fail(Code::kForbidden, docker.path_of(key) + ": no sandbox gets that");
  }
  for (const char* key : {"seccompProfile", "apparmorProfile"}) {
    std::string profile;
    TRY(docker.text(key, profile));
    if (profile == "unconfined") return fail(Code::kForbidden, docker.path_of(key) + ": no sandbox is unconfined");
  }
  std::string propagation = "private";
  TRY(docker.text("workspaceMountPropagation", propagation));
  if (propagation != "private")
    return fail(Code::kForbidden, docker.path_of("workspaceMountPropagation") + ": mounts of a sandbox are private");
  return Ok{};
}

void note_what_holds_otherwise(const Section& docker, Settings& settings) {
  for (const auto& [key, how] : kHeldOtherwise)
    if (docker.find(key) != nullptr) settings.notes.push_back(sbx::format("{}: {}", docker.path_of(key), how));
}

Result<> read_docker_network(const Section& docker, Settings& settings) {
  std::string network = "none";
  TRY(docker.text("network", network));
  if (network == "none") return Ok{};
  if (network == "host" || network.starts_with("container:"))
    return fail(Code::kForbidden,
                docker.path_of("network") + ": no sandbox is in the network of " + printable(network));
  if (network != "bridge")
    return fail(Code::kInvalid,
                docker.path_of("network") + ": there is no network " + printable(network) + " for sandboxes",
                "none, bridge, or sandbox.network: { allowlist: [...] }");
  settings.reachable = Reachable::kByPolicy;
  return Ok{};
}

// "/tmp:rw,size=64m": the size of the one that is always there.
Result<> read_tmpfs(const Section& docker, Settings& settings) {
  std::optional<std::vector<std::string>> list;
  TRY(docker.texts("tmpfs", list));
  for (const std::string& entry : list.value_or(std::vector<std::string>())) {
    const auto colon = entry.find(':');
    const std::string path = entry.substr(0, colon);
    if (path != "/tmp" && path != "/run" && path != "/var/tmp")
      return fail(Code::kInvalid, docker.path_of("tmpfs") + ": " + printable(path) + " cannot be one",
                  "/tmp, /run or /var/tmp");
    if (path == "/var/tmp")
      settings.notes.push_back(docker.path_of("tmpfs") + ": /var/tmp is on the sandbox's own disk");
    if (colon == std::string::npos) continue;
    for (const std::string& option : split(entry.substr(colon + 1), ',')) {
      if (!option.starts_with("size=")) continue;
      const auto bytes = parse_bytes(option.substr(5));
      if (path != "/tmp" || !bytes || *bytes <= 0)
        return fail(Code::kInvalid,
                    docker.path_of("tmpfs") + ": " + printable(entry) + ": only /tmp has a size, such as 64m");
      settings.tmp.bytes = *bytes;
    }
  }
  return Ok{};
}

Result<> read_binds(const Section& docker, const std::string& home, Settings& settings) {
  std::optional<std::vector<std::string>> binds;
  TRY(docker.texts("binds", binds));
  for (const std::string& text : binds.value_or(std::vector<std::string>())) {
    TRY_ASSIGN(SharedPath bind, parse_bind(text, home, docker.path_of("binds")));
    settings.mounts.push_back(std::move(bind));
  }
  return Ok{};
}

Result<> read_hosts(const Section& docker, Settings& settings) {
  std::optional<std::vector<std::string>> hosts;
  TRY(docker.texts("extraHosts", hosts));
  for (const std::string& text : hosts.value_or(std::vector<std::string>())) {
    const auto colon = text.find(':');
    if (colon == 0 || colon == std::string::npos || colon + 1 == text.size())
      return fail(Code::kInvalid, docker.path_of("extraHosts") + ": " + printable(text) + " must be name:address");
    settings.hosts.emplace_back(text.substr(0, colon), text.substr(colon + 1));
  }
  return Ok{};
}

// A text, or lines of one.
Result<> read_setup(const Section& docker, Settings& settings) {
  const Json* command = docker.find("setupCommand");
  if (command == nullptr || command->is_string()) return docker.text("setupCommand", settings.setup_command);
  std::optional<std::vector<std::string>> lines;
  TRY(docker.texts("setupCommand", lines));
  settings.setup_command = join(*lines, "\n");
  return Ok{};
}

Result<> read_names(const Section& docker, Settings& settings) {
  constexpr std::size_t kLongestPrefix = 20;
  TRY(docker.text("image", settings.image));
  TRY(docker.text("user", settings.user));
  TRY(docker.text("workdir", settings.workdir));
  TRY_ASSIGN(settings.workdir, expanded_path(settings.workdir, "~", docker.path_of("workdir")));
  TRY(docker.text("containerPrefix", settings.name_prefix));
  const auto is_allowed = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; };
  if (settings.name_prefix.empty() || settings.name_prefix.size() > kLongestPrefix ||
      std::isalnum(static_cast<unsigned char>(settings.name_prefix.front())) == 0 ||
      !std::ranges::all_of(settings.name_prefix, is_allowed))
    return docker.mistyped("containerPrefix", "up to 20 letters, digits, - and _, the first a letter or digit");
  return Ok{};
}

}  // namespace

Result<> read_docker(const Section& docker, const std::string& home, Settings& settings) {
  TRY(refuse_weaker(docker));
  TRY(read_names(docker, settings));
  TRY(docker.size("memory", settings.memory));
  TRY(docker.number("cpus", settings.cpus));
  double pids = 0;
  TRY(docker.number("pidsLimit", pids));
  settings.pids = static_cast<std::int64_t>(std::min(pids, 4'194'304.0));
  TRY(docker.map("env", settings.environment));
  TRY(read_hosts(docker, settings));
  TRY(read_setup(docker, settings));
  TRY(read_docker_network(docker, settings));
  TRY(read_tmpfs(docker, settings));
  TRY(read_binds(docker, home, settings));
  note_what_holds_otherwise(docker, settings);
  return Ok{};
}

}  // namespace sbx::openclaw
