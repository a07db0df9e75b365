// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "base/fd.h"
#include "base/mutex.h"
#include "base/result.h"
#include "sandboxes/execs.h"
#include "sandboxes/registry.h"
#include "sandboxes/runs.h"
#include "wire/mcp.h"
#include "wire/sandbox.h"

namespace sbx::sandboxes {

// Every one of these servers is there: one that runs in a sandbox is, and the address of one on the network is https,
// or http.
Result<> check_grants(const std::vector<wire::McpGrant>& grants, const Registry& registry);
// The same for all that a request grants. A server itself gets no program of the host's: only its command is said.
Result<> check_mcp(const wire::CreateRequest& request, const Registry& registry);

// Brings programs in one sandbox together with MCP servers in others, when a shim asks for it: starts the server's
// sandbox if need be, and the server in it, one for each program. The two shims then have an end each of one line, and
// it survives us. Nothing of what goes over it is read here.
//
// SECURITY: who asks is the connection that the question came on. A sandbox gets the servers in its record and no
// other.
class McpServers {
 public:
  static constexpr std::size_t kMostAtOnce = 64;  // that are being brought together

  McpServers(const Registry& registry, Execs& execs, Runs& runs) : registry_(registry), execs_(execs), runs_(runs) {}
  ~McpServers();  // waits for those that are being brought together, for ever: stop() first
  McpServers(const McpServers&) = delete;
  McpServers& operator=(const McpServers&) = delete;

  // From now on; once every sandbox that there is is known (Recovery), because a shim that is found repeats at once who
  // waits. What was asked before is done now.
  void open();
  // None is brought together any more. False: some still are after so long, and only the end of the process helps.
  bool stop(std::chrono::milliseconds limit);

 private:
  void wanted(const std::string& sandbox, const wire::McpWanted& wanted);
  void done();
  void bring(const std::string& sandbox, const wire::McpWanted& wanted);
  Result<Fd> line_to(const std::string& server, const std::string& sandbox);

  const Registry& registry_;
  Execs& execs_;
  Runs& runs_;
  Mutex mutex_;
  Condition left_;
  std::size_t busy_ SBX_GUARDED_BY(mutex_) = 0;
};

}  // namespace sbx::sandboxes
