// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/client/agent_config.h"

#include <fcntl.h>

#include <cstdlib>
#include <set>

#include "agents/guidance.h"
#include "archive/writer.h"
#include "base/text.h"
#include "cli/client/remote.h"
#include "cli/views/output.h"
#include "cli/words/agent_name.h"
#include "exchange/exec_stream.h"
#include "userconfig/user_config.h"

namespace sbx::cli {
namespace {

constexpr std::size_t kLongestPath = 4096;

Result<agents::Agent> configurable_agent(const std::string& name) {
  TRY_ASSIGN(const agents::Catalogue agents, known_agents());
  const agents::Agent* const agent = agents.find(name);
  if (agent == nullptr || agent->config.empty())
    return fail(
        Code::kInvalid,
        "--agent-config: it is not known what of the configuration of \"" + printable(name) + "\" could be taken along",
        "copy it with cp, or list it in ~/.sandboxd/agents.json (docs/agents.md)");
  return *agent;
}

Result<userconfig::UserConfig> own_config(const agents::Agent& agent, const wire::SandboxInfo& sandbox) {
  const char* const home = std::getenv("HOME");
  if (home == nullptr || *home != '/') return fail(Code::kInvalid, "--agent-config: HOME is not set");
  TRY_ASSIGN(const Fd directory, open_path(home, O_PATH | O_DIRECTORY));
  std::vector<std::string> workspaces;
  for (const wire::Mount& workspace : sandbox.workspaces) workspaces.push_back(workspace.target);
  userconfig::UserConfig config = userconfig::collect(directory, agent, workspaces);
  // Where the agent has one place only for its user's page and ours.
  for (userconfig::TakenFile& file : config.files)
    if (file.path == agent.guidance && !sandbox.no_guidance) file.content += "\n" + std::string(agents::guidance());
  return config;
}

Result<> add_directories(archive::ArchiveWriter& writer, const std::string& path, std::set<std::string>& made) {
  for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    const std::string directory = path.substr(0, slash);
    if (!made.insert(directory).second) continue;
    TRY(writer.add(
        {.name = directory + "/", .type = archive::Type::kDirectory, .link = {}, .mode = 0755, .attributes = {}}));
  }
  return Ok{};
}

Result<> write_files(const std::vector<userconfig::TakenFile>& files, const archive::Sink& sink) {
  archive::ArchiveWriter writer(sink);
  std::set<std::string> made;
  for (const userconfig::TakenFile& file : files) {
    TRY(add_directories(writer, file.path, made));
    TRY(writer.add({.name = file.path,
                    .link = {},
                    .mode = file.executable ? 0755u : 0644u,
                    .size = static_cast<std::int64_t>(file.content.size()),
                    .attributes = {}}));
    TRY(writer.content(file.content));
  }
  return writer.finish();
}

// That of user 1000, whatever the template calls it.
Result<std::string> home_in(const Client& client, const std::string& sandbox) {
  wire::ExecRequest request;
  request.command = {"/bin/sh", "-c", "printf %s \"$HOME\""};
  TRY_ASSIGN(exchange::Upgraded upgraded, open_exec(client, sandbox, request));
  exchange::ExecStream stream(std::move(upgraded));
  TRY_ASSIGN(std::string home, stream.read_all(kLongestPath));
  TRY(stream.finish());
  if (!home.starts_with('/')) return fail(Code::kConflict, "the agent has no home directory");
  return home;
}

Result<> send_files(const Client& client, const std::string& sandbox, const std::vector<userconfig::TakenFile>& files) {
  wire::ExecRequest request;
  request.builtin = wire::Builtin::kUnpack;
  TRY_ASSIGN(request.path, home_in(client, sandbox));
  request.interactive = true;
  TRY_ASSIGN(exchange::Upgraded upgraded, open_exec(client, sandbox, request));
  exchange::ExecStream stream(std::move(upgraded));
  const auto sent = write_files(files, [&](std::string_view bytes) { return stream.write(bytes); });
  // A sandbox that has given up says why.
  const Result<> ended = sent ? stream.end_input() : sent;
  TRY(stream.finish());
  return ended;
}

void tell(const userconfig::UserConfig& config) {
  if (config.taken.empty()) note("--agent-config: there was nothing to take along.");
  if (!config.taken.empty()) note("Copied from your configuration:");
  for (const std::string& line : config.taken) note("  " + printable(line));
  if (!config.left.empty()) note("Not copied:");
  for (const std::string& line : config.left) note("  " + printable(line));
}

Result<> bring(const Client& client, const wire::SandboxInfo& sandbox, bool quiet) {
  TRY_ASSIGN(const agents::Agent agent, configurable_agent(sandbox.agent));
  TRY_ASSIGN(const userconfig::UserConfig config, own_config(agent, sandbox));
  if (!config.files.empty()) TRY_WITHIN("copy your configuration", send_files(client, sandbox.name, config.files));
  if (!quiet) tell(config);
  return Ok{};
}

}  // namespace

Result<> check_agent_config(const std::string& agent) {
  TRY(configurable_agent(agent));
  return Ok{};
}

Result<> bring_agent_config(const Context& context, const Client& client, const wire::SandboxInfo& sandbox,
                            bool quiet) {
  const auto brought = bring(client, sandbox, quiet);
  if (brought) return brought;
  if (auto removed = remove_sandbox(client, sandbox.name); !removed) context.print_error(removed.error());
  return brought;
}

}  // namespace sbx::cli
