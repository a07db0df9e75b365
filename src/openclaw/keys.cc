// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "openclaw/keys.h"

#include "base/format.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/text.h"

namespace sbx::openclaw {
namespace {

constexpr std::string_view kSandbox[] = {
    "mode",    "backend", "scope", "perSession", "workspaceAccess", "workspaceRoot", "sessionToolsVisibility",
    "docker",  "browser", "ssh",   "prune",      "tools",           "baseImage",     "resources",
    "network", "mounts",  "tmpDir"};
constexpr std::string_view kDocker[] = {"image",
                                        "containerPrefix",
                                        "workdir",
                                        "readOnlyRoot",
                                        "tmpfs",
                                        "network",
                                        "user",
                                        "capDrop",
                                        "env",
                                        "setupCommand",
                                        "pidsLimit",
                                        "memory",
                                        "memorySwap",
                                        "cpus",
                                        "gpus",
                                        "ulimits",
                                        "seccompProfile",
                                        "apparmorProfile",
                                        "dns",
                                        "extraHosts",
                                        "binds",
                                        "workspaceMountPropagation",
                                        "dangerouslyAllowReservedContainerTargets",
                                        "dangerouslyAllowExternalBindSources",
                                        "dangerouslyAllowContainerNamespaceJoin"};
constexpr std::string_view kTools[] = {"allow", "alsoAllow", "deny"};
constexpr std::string_view kResources[] = {"memory", "cpus", "timeout"};
constexpr std::string_view kNetwork[] = {"allowlist"};
constexpr std::string_view kMount[] = {"source", "target", "readonly"};
constexpr std::string_view kTmpDir[] = {"size", "persist"};
constexpr std::string_view kPrune[] = {"idleHours", "maxAgeDays"};

}  // namespace

std::span<const std::string_view> sandbox_keys() { return kSandbox; }
std::span<const std::string_view> docker_keys() { return kDocker; }
std::span<const std::string_view> tools_keys() { return kTools; }
std::span<const std::string_view> resources_keys() { return kResources; }
std::span<const std::string_view> network_keys() { return kNetwork; }
std::span<const std::string_view> mount_keys() { return kMount; }
std::span<const std::string_view> tmp_dir_keys() { return kTmpDir; }
std::span<const std::string_view> prune_keys() { return kPrune; }

Result<> check_not_misspelt(const Json& object, const std::string& path, std::string_view key) {
  const std::string prefix = path.empty() ? "" : path + ".";
  if (object.contains("$include"))
    return fail(Code::kInvalid, prefix + "$include: other files are not read",
                "--config with one file that has it all");
  if (object.contains(key)) return Ok{};
  for (const auto& [name, value] : object.items())
    if (!nearest_word(name, {&key, 1}).empty())
      return fail(Code::kInvalid, sbx::format("{}{}: there is no such key", prefix, printable(name)), std::string(key));
  return Ok{};
}

}  // namespace sbx::openclaw
