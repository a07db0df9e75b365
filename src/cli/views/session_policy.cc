// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/views/session_policy.h"

#include "base/format.h"
#include "base/text.h"

namespace sbx::cli {
namespace {

Json layers_json(const openclaw::Settings& settings, bool sandboxed) {
  Json layers = Json::array();
  for (const auto& layer : settings.tools)
    if (sandboxed || !layer.sandbox_only)
      layers.push_back({{"allow", layer.allow.entries},
                        {"allowSource", layer.allow.key},
                        {"deny", layer.deny.entries},
                        {"denySource", layer.deny.key}});
  return layers;
}

Json mounts_json(const openclaw::Settings& settings) {
  Json mounts = Json::array();
  for (const auto& mount : settings.mounts)
    mounts.push_back({{"source", mount.source}, {"target", mount.target}, {"readonly", mount.readonly}});
  return mounts;
}

Json sandbox_json(const openclaw::Settings& settings, const openclaw::Decision& decision) {
  return {{"name", decision.sandbox},
          {"scope", word_of(settings.scope)},
          {"scopeKey", decision.scope_key},
          {"image", settings.image},
          {"workdir", settings.workdir},
          {"workspaceAccess", word_of(settings.workspace_access)},
          {"memory", settings.memory},
          {"cpus", settings.cpus},
          {"pids", settings.pids},
          {"timeout", settings.timeout_s},
          {"network", word_of(settings.reachable)},
          {"allowlist", settings.allowed_hosts},
          {"mounts", mounts_json(settings)},
          {"tmpDir", {{"size", settings.tmp.bytes}, {"persist", settings.tmp.persist}}},
          {"prune", {{"idleHours", settings.prune.idle_hours}, {"maxAgeDays", settings.prune.max_age_days}}},
          {"notes", settings.notes}};
}

std::string list_text(const Json& list) {
  std::vector<std::string> texts;
  for (const Json& item : list) texts.push_back(item.get<std::string>());
  return texts.empty() ? "-" : join(texts, " ");
}

std::string line(std::string_view name, const std::string& value) {
  return sbx::format("{:<11} {}\n", name, printable(value));
}

std::string bound_text(const Json& number, std::string_view unit) {
  return number == 0 ? "no limit" : number.dump() + std::string(unit);
}

std::string sandbox_text(const Json& sandbox) {
  std::string text =
      line("sandbox", sandbox["name"].get<std::string>() + ", of " + sandbox["scopeKey"].get<std::string>());
  if (sandbox["image"] != "") text += line("image", sandbox["image"].get<std::string>());
  text += line("network", sandbox["network"].get<std::string>() +
                              (sandbox["allowlist"].empty() ? "" : ": " + list_text(sandbox["allowlist"])));
  text += line("memory", bound_text(sandbox["memory"], " bytes"));
  text += line("cpus", bound_text(sandbox["cpus"], ""));
  text += line("timeout", bound_text(sandbox["timeout"], " s"));
  text += line("/tmp", bound_text(sandbox["tmpDir"]["size"], " bytes"));
  for (const Json& mount : sandbox["mounts"])
    text += line("mount", mount["source"].get<std::string>() + " at " + mount["target"].get<std::string>() +
                              (mount["readonly"] == true ? ", read only" : ""));
  text +=
      line("removed", sbx::format("after {} hours without use, or {} days", sandbox["prune"]["idleHours"].get<double>(),
                                  sandbox["prune"]["maxAgeDays"].get<double>()));
  for (const Json& held : sandbox["notes"]) text += line("note", held.get<std::string>());
  return text;
}

}  // namespace

Json session_policy_json(const openclaw::Session& session, const openclaw::Settings& settings,
                         const openclaw::Decision& decision, const std::string& tool) {
  const bool sandboxed = decision.place == openclaw::Place::kSandbox;
  Json policy = {{"session", session.key},
                 {"agent", session.agent},
                 {"main", session.is_main},
                 {"mode", word_of(settings.mode)},
                 {"sandboxed", sandboxed},
                 {"why", decision.why},
                 {"tool", {{"name", tool}, {"allowed", decision.tool.allowed}, {"rule", decision.tool.rule}}},
                 {"tools", layers_json(settings, sandboxed)}};
  if (sandboxed) policy["sandbox"] = sandbox_json(settings, decision);
  return policy;
}

std::string session_policy_text(const Json& policy) {
  const bool sandboxed = policy["sandboxed"] == true;
  std::string text =
      line("session", policy["session"].get<std::string>() + (policy["main"] == true ? ", the main one" : ""));
  text += line("runs", (sandboxed ? "in a sandbox: " : "ON THIS HOST: ") + policy["why"].get<std::string>());
  const Json& tool = policy["tool"];
  text += line("tool", tool["name"].get<std::string>() + (tool["allowed"] == true ? ": allowed, " : ": denied, ") +
                           tool["rule"].get<std::string>());
  for (const Json& layer : policy["tools"]) {
    text += line("allow", list_text(layer["allow"]) + "   " + layer["allowSource"].get<std::string>());
    text += line("deny", list_text(layer["deny"]) + "   " + layer["denySource"].get<std::string>());
  }
  return sandboxed ? text + sandbox_text(policy["sandbox"]) : text;
}

}  // namespace sbx::cli
