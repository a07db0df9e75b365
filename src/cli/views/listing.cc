// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/views/listing.h"

#include "base/format.h"
#include "base/text.h"
#include "base/value.h"
#include "cli/views/output.h"
#include "cli/words/port_spec.h"
#include "cli/words/workspace.h"

namespace sbx::cli {
namespace {

std::vector<std::string> workspace_texts(const wire::SandboxInfo& sandbox) {
  std::vector<std::string> texts;
  for (const wire::Mount& workspace : sandbox.workspaces) texts.push_back(workspace_text(workspace));
  return texts;
}

Json own_labels(const wire::SandboxInfo& sandbox) {
  Json labels = Json::object();
  for (const auto& [key, value] : sandbox.labels) labels[key] = value;
  return labels;
}

// The user's, and the vendor's, which no user's replaces.
Json labels_of(const wire::SandboxInfo& sandbox, const std::string& workspace, std::uint64_t inode) {
  Json labels = own_labels(sandbox);
  labels["com.docker.sandbox.agent"] = sandbox.agent;
  labels["com.docker.sandbox.workingDirectory"] = workspace;
  labels["com.docker.sandbox.workingDirectoryInode"] = inode == 0 ? "" : std::to_string(inode);
  labels["com.docker.sandboxes"] = "templates";
  labels["com.docker.sandboxes.base"] = sandbox.template_name;
  labels["com.docker.sandboxes.flavor"] = wire::is_microvm(sandbox.isolation) ? "microvm" : "container";
  labels["docker/sandbox"] = "true";
  return labels;
}

Json limits_of(const wire::SandboxInfo& sandbox) {
  Json limits = json_of(sandbox.limits);
  limits["enforced"] = sandbox.limits_enforced;
  return limits;
}

std::vector<std::string> port_texts(const wire::SandboxInfo& sandbox) {
  std::vector<std::string> texts;
  for (const auto& port : sandbox.ports) texts.push_back(wire::text(port));
  return texts;
}

Json network_of(const wire::SandboxInfo& sandbox, Json policy) {
  Json hosts = Json::object();
  for (const auto& host : sandbox.hosts) hosts[host.name] = host.address;
  return {{"policy", std::move(policy)},
          {"proxy", sbx::format("{}:{}", wire::kHostAlias, wire::kProxyPort)},
          {"hosts", std::move(hosts)}};
}

constexpr std::ptrdiff_t kSizeColumn = 3;

std::optional<std::int64_t> size_of(const wire::SandboxInfo& sandbox, const Sizes& sizes) {
  const auto it = sizes.find(sandbox.name);
  return it == sizes.end() ? std::nullopt : std::optional(it->second);
}

bool is_running(const wire::SandboxInfo& sandbox) { return sandbox.status == wire::Status::kRunning; }

}  // namespace

std::string listing_table(const std::vector<wire::SandboxInfo>& sandboxes, const Sizes& sizes) {
  std::vector<std::vector<std::string>> rows{{"SANDBOX", "AGENT", "STATUS", "ISOLATION", "PORTS", "WORKSPACE"}};
  for (const auto& sandbox : sandboxes)
    rows.push_back({sandbox.name, sandbox.agent, std::string(word_of(sandbox.status)),
                    std::string(word_of(sandbox.isolation)), join(port_texts(sandbox), ", "),
                    join(workspace_texts(sandbox), ", ")});
  if (sizes.empty()) return columns(rows);
  rows.front().insert(rows.front().begin() + kSizeColumn, "SIZE");
  for (std::size_t i = 0; i < sandboxes.size(); ++i)
    rows[i + 1].insert(rows[i + 1].begin() + kSizeColumn, bytes_text(size_of(sandboxes[i], sizes).value_or(0)));
  return columns(rows);
}

namespace {

// In a container the daemon's rights are the guest's root's: more than any other container's has.
std::string docker_of(const wire::SandboxInfo& sandbox) {
  return std::string(word_of(wire::has_docker(sandbox.docker) ? sandbox.docker : wire::DockerMode::kOff));
}

}  // namespace

Json listing_fields(const wire::SandboxInfo& sandbox, const Sizes& sizes) {
  Json fields = {
      {"name", sandbox.name},
      {"agent", sandbox.agent},
      {"status", word_of(sandbox.status)},
      {"socket_path",
       is_running(sandbox) && wire::has_docker(sandbox.docker) ? sandbox.state_directory + "/docker.sock" : ""},
      {"sandbox_count", is_running(sandbox) ? 1 : 0},
      {"workspaces", workspace_texts(sandbox)},
      {"workspace", join(workspace_texts(sandbox), ", ")},
      {"workspace_missing", sandbox.workspace_missing},
      {"ports", ports_json(sandbox.ports)},
      {"id", sandbox.id},
      {"isolation", word_of(sandbox.isolation)},
      {"backend", sandbox.backend},
      {"template", sandbox.template_name},
      {"template_digest", sandbox.template_digest},
      {"created_at", sandbox.created_at},
      {"labels", own_labels(sandbox)},
      {"disk", sandbox.limits.disk},
      {"disk_bound", word_of(sandbox.limits.disk_bound)},
      {"used_at", sandbox.used_at},
      {"reason", sandbox.reason}};
  if (const auto bytes = size_of(sandbox, sizes)) fields["size"] = *bytes;
  return fields;
}

Json listing_json(const std::vector<wire::SandboxInfo>& sandboxes, const Sizes& sizes) {
  Json list = Json::array();
  for (const auto& sandbox : sandboxes) {
    Json item = listing_fields(sandbox, sizes);
    item.erase("workspace");
    if (!is_running(sandbox)) item.erase("socket_path");
    if (sandbox.reason.empty()) item.erase("reason");
    list.push_back(std::move(item));
  }
  return {{"vms", list}};
}

Json inspection(const wire::SandboxInfo& sandbox, std::uint64_t inode, Json policy, std::int64_t size) {
  const std::string workspace = sandbox.workspaces.empty() ? "" : sandbox.workspaces.front().source;
  const Json members = json_of(sandbox);
  return {{"id", sandbox.id},
          {"name", sandbox.name},
          {"created_at", sandbox.created_at},
          {"status", word_of(sandbox.status)},
          {"reason", sandbox.reason},
          {"agent", sandbox.agent},
          {"template", sandbox.template_name},
          {"template_digest", sandbox.template_digest},
          {"labels", labels_of(sandbox, workspace, inode)},
          {"workspace", workspace},
          {"workspace_missing", sandbox.workspace_missing},
          {"workspaces", workspace_texts(sandbox)},
          {"mounts", members["mounts"]},
          {"sockets", {{"covered", sandbox.covered_sockets}, {"searched", sandbox.sockets_searched}}},
          {"directory", sandbox.directory},
          {"environment", members["environment"]},
          {"limits", limits_of(sandbox)},
          {"features",
           {{"docker", docker_of(sandbox)},
            {"docker_cache", wire::has_docker(sandbox.docker) && !sandbox.no_docker_cache},
            {"registry_auth", sandbox.registry_auth},
            {"ssh_agent", sandbox.ssh_agent}}},
          {"size", size},
          {"ttl_s", sandbox.ttl_s},
          {"idle_stop_s", sandbox.idle_stop_s},
          {"used_at", sandbox.used_at},
          {"network", network_of(sandbox, std::move(policy))},
          {"ports", ports_json(sandbox.ports)},
          {"isolation", word_of(sandbox.isolation)},
          {"backend", sandbox.backend},
          {"pids", {{"shim", sandbox.shim_pid}, {"init", sandbox.init_pid}}},
          {"timings", members["timings"]},
          {"state_directory", sandbox.state_directory}};
}

}  // namespace sbx::cli
