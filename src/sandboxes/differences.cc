// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/differences.h"

#include <algorithm>

#include "base/format.h"
#include "base/text.h"

namespace sbx::sandboxes {
namespace {

// As --memory and --disk take it.
std::string size_text(std::int64_t bytes) {
  constexpr std::int64_t kMiB = 1 << 20;
  constexpr std::int64_t kGiB = 1 << 30;
  if (bytes == 0) return "no limit";
  if (bytes % kGiB == 0) return sbx::format("{}g", bytes / kGiB);
  return bytes % kMiB == 0 ? sbx::format("{}m", bytes / kMiB) : std::to_string(bytes);
}

std::string number_text(double number) { return number == 0 ? "no limit" : sbx::format("{}", number); }

std::string workspace_text(const wire::Mount& workspace) {
  return workspace.source + (workspace.readonly ? ":ro" : "");
}

std::string mount_text(const wire::Mount& mount) {
  return mount.source + ":" + mount.target + (mount.readonly ? ":ro" : "");
}

template <class Text>
std::string all_of(const std::vector<wire::Mount>& mounts, Text text) {
  std::vector<std::string> texts;
  for (const auto& mount : mounts) texts.push_back(text(mount));
  return texts.empty() ? "none" : join(texts, ", ");
}

// A primary workspace that is read-only already is so too for a request that does not say it.
bool is_met(const wire::Mount& asked, bool is_primary, const std::vector<wire::Mount>& workspaces) {
  return std::ranges::any_of(workspaces, [&](const wire::Mount& has) {
    return has.source == asked.source && (has.readonly == asked.readonly || (is_primary && has.readonly));
  });
}

bool is_there(const wire::Mount& asked, const std::vector<wire::Mount>& mounts) {
  return std::ranges::any_of(mounts, [&](const wire::Mount& has) { return mount_text(has) == mount_text(asked); });
}

std::string listed(const std::vector<Difference>& differences) {
  std::vector<std::string> texts;
  for (const auto& [option, asked, has] : differences)
    texts.push_back(sbx::format("{} {} (it has {})", option, asked, has));
  return join(texts, ", ");
}

}  // namespace

std::vector<Difference> fixed_differences(const store::Record& record, const wire::CreateRequest& asked) {
  std::vector<Difference> found;
  if (!asked.backend.empty() && asked.backend != record.backend)
    found.push_back({"--backend", asked.backend, record.backend});
  if (!asked.template_name.empty() && asked.template_name != record.base.name)
    found.push_back({"--template", asked.template_name, record.base.name});
  if (asked.pull == wire::Pull::kAlways)
    found.push_back({"--pull-template", "always", "the template that it was made from"});
  if (asked.no_guidance && !record.no_guidance) found.push_back({"--no-guidance", "yes", "the page for the model"});
  for (std::size_t i = 0; i < asked.workspaces.size(); ++i)
    if (!is_met(asked.workspaces[i], i == 0 && !asked.agent.empty(), record.workspaces))
      found.push_back({"workspace", workspace_text(asked.workspaces[i]), all_of(record.workspaces, workspace_text)});
  for (const auto& mount : asked.mounts)
    if (!is_there(mount, record.mounts))
      found.push_back({"--volume", mount_text(mount), all_of(record.mounts, mount_text)});
  if (!asked.mcp_command.empty() && asked.mcp_command != record.mcp_command)
    found.push_back({"the MCP server", join(asked.mcp_command, " "),
                     record.mcp_command.empty() ? "none" : join(record.mcp_command, " ")});
  if (asked.limits.disk != 0 && asked.limits.disk != record.limits.disk)
    found.push_back({"--disk", size_text(asked.limits.disk), size_text(record.limits.disk)});
  if (asked.limits.tmp != 0 && asked.limits.tmp != record.limits.tmp)
    found.push_back({"--tmp-size", size_text(asked.limits.tmp), size_text(record.limits.tmp)});
  return found;
}

std::vector<Difference> limit_differences(const wire::Limits& has, const wire::Limits& granted) {
  std::vector<Difference> found;
  if (granted.cpus != has.cpus) found.push_back({"--cpus", number_text(granted.cpus), number_text(has.cpus)});
  if (granted.memory != has.memory) found.push_back({"--memory", size_text(granted.memory), size_text(has.memory)});
  if (granted.pids != has.pids) found.push_back({"--pids", std::to_string(granted.pids), std::to_string(has.pids)});
  return found;
}

Error must_be_made_anew(const std::string& name, const std::vector<Difference>& differences) {
  return Error(Code::kConflict,
               sbx::format("sandbox {} is there already, and only a new one can have {}", name, listed(differences)),
               sbx::format("another --name; or, without what is in it: sandbox rm {}, and run it again", name));
}

Error must_be_stopped(const std::string& name, const std::vector<Difference>& differences) {
  return Error(Code::kConflict,
               sbx::format("sandbox {} runs, and only its next start can give it {}", name, listed(differences)),
               sbx::format("sandbox stop {}, and run it again", name));
}

}  // namespace sbx::sandboxes
