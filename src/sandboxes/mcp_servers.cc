// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/mcp_servers.h"

#include <algorithm>
#include <system_error>
#include <thread>

#include "base/error_line.h"
#include "base/format.h"
#include "base/log.h"
#include "base/text.h"

namespace sbx::sandboxes {
namespace {

Result<std::vector<std::string>> command_of(const std::string& server, const Registry& registry) {
  const auto sandbox = registry.find(wire::mcp_sandbox(server));
  if (!sandbox || (*sandbox)->record().mcp_command.empty())
    return fail(Code::kNotFound, sbx::format("there is no MCP server \"{}\"", printable(server)), "sandbox mcp ls");
  return (*sandbox)->record().mcp_command;
}

// SECURITY: the reader is a guest. Why another sandbox does not start has paths of the host's in it.
std::string refusal_for_guest(const Error& why) {
  const bool is_about_grants = why.code() == Code::kForbidden || why.code() == Code::kNotFound;
  return is_about_grants ? printable(error_line(why))
                         : "the MCP server could not be started; the daemon's log says why";
}

// A line that says why, and ends.
Result<Fd> line_of_refusal(const Error& why) {
  TRY_ASSIGN(SocketPair pair, make_socket_pair());
  TRY(write_all(pair.theirs, refusal_for_guest(why) + "\n"));
  return std::move(pair.ours);
}

}  // namespace

Result<> check_grants(const std::vector<wire::McpGrant>& grants, const Registry& registry) {
  for (const wire::McpGrant& grant : grants) {
    if (grant.url.empty())
      TRY(command_of(grant.name, registry));
    else if (!grant.url.starts_with("https://") && !grant.url.starts_with("http://"))
      return fail(Code::kInvalid,
                  sbx::format("MCP server {}: {} is no URL of http or https", grant.name, printable(grant.url)));
  }
  return Ok{};
}

Result<> check_mcp(const wire::CreateRequest& request, const Registry& registry) {
  TRY(check_grants(request.mcp, registry));
  if (request.mcp_command.empty()) return Ok{};
  const bool is_called_so = request.name.starts_with("mcp-") && wire::is_mcp_name(request.name.substr(4));
  if (!is_called_so || request.mcp_command.front().empty())
    return fail(Code::kInvalid, "the sandbox of an MCP server is called mcp-NAME, and its command is not empty");
  return Ok{};
}

void McpServers::open() {
  runs_.on_mcp([this](const std::string& sandbox, const wire::McpWanted& asked) { wanted(sandbox, asked); });
}

McpServers::~McpServers() {
  while (!stop(std::chrono::hours(1))) continue;
}

bool McpServers::stop(std::chrono::milliseconds limit) {
  runs_.on_mcp({});
  MutexLock lock(mutex_);
  return left_.wait_for(lock, limit, [this]() SBX_REQUIRES(mutex_) { return busy_ == 0; });
}

// In a thread of its own, because a sandbox may have to be started first. One too many gets no answer, and its
// shim closes it after a minute.
void McpServers::wanted(const std::string& sandbox, const wire::McpWanted& wanted) {
  {
    const MutexLock lock(mutex_);
    if (busy_ >= kMostAtOnce) return log_warning("too many programs want to speak with MCP servers at once");
    ++busy_;
  }
  try {
    std::thread([this, sandbox, wanted] {
      bring(sandbox, wanted);
      done();
    }).detach();
  } catch (const std::system_error& error) {
    done();
    log_error("start a thread: {}", error.what());
  }
}

void McpServers::done() {
  const MutexLock lock(mutex_);
  --busy_;
  left_.notify_all();
}

void McpServers::bring(const std::string& sandbox, const wire::McpWanted& wanted) {
  auto line = line_to(wanted.server, sandbox);
  if (!line) {
    log_warning("no MCP server for sandbox {}: {}", sandbox, line.error().what());
    line = line_of_refusal(line.error());
  }
  const auto asking = registry_.find(sandbox);
  if (!line || !asking) return;
  if (const auto brought = (*asking)->directory().shim().connect_to_mcp(wanted, *line); !brought)
    log_warning("MCP server {} for sandbox {}: {}", printable(wanted.server), sandbox, brought.error().what());
}

// What the daemon says is on the line before the server can say a word.
Result<Fd> McpServers::line_to(const std::string& server, const std::string& sandbox) {
  TRY_ASSIGN(const auto asking, registry_.find(sandbox));
  const store::Record record = asking->record();
  if (std::ranges::find(record.mcp, wire::McpGrant{server, ""}) == record.mcp.end())
    return fail(Code::kForbidden, sbx::format("MCP server \"{}\" was not granted to this sandbox", printable(server)));
  wire::ExecRequest request;
  TRY_ASSIGN(request.command, command_of(server, registry_));
  request.interactive = true;
  TRY_ASSIGN(SocketPair pair, make_socket_pair());
  TRY(write_all(pair.theirs, wire::kMcpConnected));
  TRY(execs_.pipe(wire::mcp_sandbox(server), std::move(request), pair.theirs));
  return std::move(pair.ours);
}

}  // namespace sbx::sandboxes
