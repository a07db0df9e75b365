// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/members.h"
#include "wire/exec.h"
#include "wire/mcp.h"
#include "wire/network.h"

namespace sbx::wire {

// A directory of the host's in the sandbox. A workspace has the same path on both sides.
struct Mount {
  std::string source;
  std::string target;
  bool readonly = false;
};
void describe(Members& members, Mount& mount);

// What holds a sandbox to Limits::disk.
enum class DiskBound { kNone, kVirtualDisk, kProjectQuota, kLoopImage };
constexpr auto choices(DiskBound) {
  return std::to_array<Choice<DiskBound>>({{DiskBound::kNone, ""},
                                           {DiskBound::kVirtualDisk, "virtual disk"},
                                           {DiskBound::kProjectQuota, "project quota"},
                                           {DiskBound::kLoopImage, "loop image"}});
}

// 0 means: no limit of ours.
struct Limits {
  double cpus = 0;
  std::int64_t memory = 0;  // bytes
  std::int64_t pids = 0;
  std::int64_t disk = 0;                    // bytes that the sandbox may write to its own disk
  DiskBound disk_bound = DiskBound::kNone;  // chosen by the backend; of a request it means nothing
  std::int64_t tmp = 0;                     // bytes in /tmp, which is in memory
};
void describe(Members& members, Limits& limits);

// A Docker daemon of the sandbox's own.
enum class DockerMode { kUnset, kOff, kOnDemand, kOn };
constexpr auto choices(DockerMode) {
  return std::to_array<Choice<DockerMode>>({{DockerMode::kUnset, ""},
                                            {DockerMode::kOff, "off"},
                                            {DockerMode::kOnDemand, "on-demand"},
                                            {DockerMode::kOn, "on"}});
}
constexpr bool has_docker(DockerMode mode) { return mode == DockerMode::kOnDemand || mode == DockerMode::kOn; }

// What users and their programs note about a sandbox; it means nothing to us.
using Labels = std::vector<std::pair<std::string, std::string>>;
inline constexpr std::size_t kMostLabelBytes = 64u << 10;  // of all keys and values
bool fit(const Labels& labels);

// What a user says of a sandbox and what stays with it: in the request that makes it, in its record and in what ls and
// inspect show. A new option is a member here, a row in the description, a flag, and the code that acts on it.
struct Settings {
  std::vector<Mount> workspaces;  // the first is the primary one; target == source
  std::vector<Mount> mounts;      // -v
  Environment environment;
  std::string directory;  // -w; empty: the primary workspace
  Limits limits;
  std::vector<PublishedPort> ports;  // of one that runs: with the ports that were found for those that left it open
  std::vector<StaticHost> hosts;
  Labels labels;
  // kUnset in a request: on demand for an agent, off for a shell. In the record of a sandbox of before: off.
  DockerMode docker = DockerMode::kUnset;
  bool no_docker_cache = false;  // what was fetched from registries before is fetched again, and not kept
  bool allow_home = false;       // a home directory may be a workspace or mount
  bool no_guidance = false;      // the page for the model is not written
  // The socket of the user's ssh-agent, which programs in the sandbox may have signatures from; empty: they may not.
  std::string ssh_agent;
  std::vector<McpGrant> mcp;             // MCP servers that its programs may use
  std::vector<std::string> mcp_command;  // it is an MCP server, and this is its program; empty: it is none
  bool registry_auth = false;            // requests to registries get the user's logins of docker and npm
  // Seconds; 0: never. The daemon removes a sandbox that is that old, and stops one in which nothing has run that long.
  std::int64_t ttl_s = 0;
  std::int64_t idle_stop_s = 0;
};
void describe(Members& members, Settings& settings);

}  // namespace sbx::wire
