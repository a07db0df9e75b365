// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/creation.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "base/format.h"
#include "base/home.h"
#include "base/text.h"
#include "cli/views/progress.h"
#include "cli/words/environment.h"
#include "cli/words/mcp_remotes.h"
#include "cli/words/policy_text.h"
#include "cli/words/port_spec.h"
#include "cli/words/workspace.h"
#include "policy/target.h"

namespace sbx::cli {
namespace {

Failure out_of_range(std::string_view flag, const std::string& text, std::string_view wanted) {
  return fail(Code::kInvalid, "--" + std::string(flag) + " " + text + ": must be " + std::string(wanted));
}

Result<double> parse_cpus(const std::string& text) {
  double cpus = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cpus);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(cpus) || cpus < 0)
    return out_of_range("cpus", text, "a number such as 2 or 1.5");
  return cpus;
}

Result<std::int64_t> parse_size(const Arguments& arguments, const char* flag) {
  if (!arguments.given(flag)) return 0;
  const auto size = parse_bytes(arguments.text(flag));
  if (!size) return out_of_range(flag, arguments.text(flag), "a size such as 512m or 8g");
  return *size;
}

Result<wire::Limits> parse_limits(const Arguments& arguments) {
  wire::Limits limits;
  if (arguments.given("cpus")) {
    TRY_ASSIGN(limits.cpus, parse_cpus(arguments.text("cpus")));
  }
  TRY_ASSIGN(limits.memory, parse_size(arguments, "memory"));
  TRY_ASSIGN(limits.disk, parse_size(arguments, "disk"));
  TRY_ASSIGN(limits.tmp, parse_size(arguments, "tmp-size"));
  if (arguments.given("pids")) {
    const auto pids = parse_integer(arguments.text("pids"));
    if (!pids || *pids < 0) return out_of_range("pids", arguments.text("pids"), "a whole number");
    limits.pids = *pids;
  }
  return limits;
}

Result<wire::Pull> parse_pull(const Arguments& arguments) {
  const auto pull = from_word<wire::Pull>(arguments.text("pull-template"));
  if (!pull) return out_of_range("pull-template", arguments.text("pull-template"), "always, missing or never");
  return *pull;
}

Result<wire::DockerMode> parse_docker(const Arguments& arguments) {
  if (!arguments.given("docker")) return wire::DockerMode::kUnset;
  const auto mode = from_word<wire::DockerMode>(arguments.text("docker"));
  if (!mode || *mode == wire::DockerMode::kUnset)
    return out_of_range("docker", arguments.text("docker"), "off, on-demand or on");
  return *mode;
}

// Options of the commands that we re-implement which ours do not have, and why.
struct Refusal {
  std::string_view flag;
  std::string_view why;
  std::string_view instead;
};
constexpr Refusal kRefusals[] = {
    {"mount-docker-socket", "the host's Docker can be told to do anything on the host, so no sandbox gets its socket",
     "the sandbox's own Docker daemon: --docker on-demand"},
};

// The vendor's: "sandbox" has the user log in inside, "none" not at all. Neither copies anything, as here.
Result<> check_credentials(const Arguments& arguments) {
  const std::string whose = arguments.text("credentials");
  if (!arguments.given("credentials") || whose == "sandbox" || whose == "none") return Ok{};
  if (whose != "host") return out_of_range("credentials", printable(whose), "sandbox or none");
  return fail(Code::kInvalid,
              "--credentials host is not supported: keys and logins of the host are not copied into a sandbox",
              "sandbox secret add anthropic: requests get it on their way out; or log in inside, once");
}

Result<> refuse_what_is_not_there(const Arguments& arguments) {
  for (const Refusal& refusal : kRefusals)
    if (arguments.given(refusal.flag))
      return fail(Code::kInvalid, sbx::format("--{} is not supported: {}", refusal.flag, refusal.why),
                  std::string(refusal.instead));
  return check_credentials(arguments);
}

bool is_within(const std::string& path, const std::string& directory) {
  return (path + "/").starts_with(directory + "/");
}

// -w was the vendor's --workspace once. A directory of the host's that will not be in the sandbox is meant as that.
Result<> check_directory_is_no_workspace(const wire::CreateRequest& request) {
  const auto path = canonical_path(request.directory);
  std::error_code error;
  if (request.directory.empty() || !path || !std::filesystem::is_directory(*path, error)) return Ok{};
  for (const auto* mounts : {&request.workspaces, &request.mounts})
    for (const wire::Mount& mount : *mounts)
      if (is_within(*path, mount.target) || is_within(request.directory, mount.target)) return Ok{};
  return fail(
      Code::kInvalid,
      sbx::format("-w {}: that is outside of the workspace {}; -w is a working directory in the sandbox",
                  printable(request.directory), request.workspaces.front().source),
      sbx::format("sandbox run {} {}, or name the workspace, too", request.agent, printable(request.directory)));
}

Result<std::int64_t> parse_time(const Arguments& arguments, const char* flag) {
  if (!arguments.given(flag)) return 0;
  const auto seconds = parse_duration(arguments.text(flag));
  if (!seconds || *seconds == 0) return out_of_range(flag, arguments.text(flag), "a time such as 30m, 24h or 7d");
  return *seconds;
}

// That of the user who asks, and not the daemon's, which may have been started in another session.
Result<std::string> own_ssh_agent() {
  const char* path = std::getenv("SSH_AUTH_SOCK");
  if (path == nullptr || *path == 0)
    return fail(Code::kInvalid, "--ssh-agent: SSH_AUTH_SOCK is not set, so there is no agent to forward",
                "eval $(ssh-agent); ssh-add");
  return canonical_path(path);
}

// An agent's version is that of its template.
Result<std::string> template_from(const Arguments& arguments, const std::string& agent) {
  if (!arguments.given("agent-version")) return arguments.text("template");
  const std::string version = arguments.text("agent-version");
  if (arguments.given("template"))
    return fail(Code::kInvalid, "--agent-version and --template exclude each other: a template has its agent in it");
  if (version.empty() || version.find_first_of("/:@ ") != std::string::npos)
    return fail(Code::kInvalid, "--agent-version " + printable(version) + ": that is no version");
  return agent + ":" + version;
}

// One on the network is reached as every host is: by a rule of the network policy.
Result<> grant_mcp_servers(const Arguments& arguments, wire::CreateRequest& request) {
  TRY_ASSIGN(const Home home, Home::find());
  for (const std::string& name : arguments.list("mcp")) {
    TRY_ASSIGN(wire::McpGrant grant, mcp_grant(home, name));
    if (!grant.url.empty()) {
      TRY_ASSIGN(const policy::Target target, policy::parse_target(grant.url));
      request.policy.push_back({"allow-host", target.text()});
    }
    request.mcp.push_back(std::move(grant));
  }
  return Ok{};
}

}  // namespace

Result<wire::CreateRequest> create_request(const Context& context, const Arguments& arguments, std::string agent,
                                           std::span<const std::string> workspaces) {
  TRY(refuse_what_is_not_there(arguments));
  wire::CreateRequest request;
  request.agent = std::move(agent);
  request.name = arguments.text("name");
  if (arguments.given("name") && request.name.empty()) return fail(Code::kInvalid, "--name is empty");
  const bool is_there = request.agent.empty() && !arguments.given("workspace");
  const std::string here = arguments.given("workspace") ? arguments.text("workspace") : ".";
  const bool is_left_out = workspaces.empty() && !is_there;
  if (is_left_out) workspaces = std::span(&here, 1);
  for (const std::string& operand : workspaces) {
    TRY_ASSIGN(wire::Mount workspace, parse_workspace(operand));
    request.workspaces.push_back(std::move(workspace));
  }
  for (const std::string& volume : arguments.list("volume")) {
    TRY_ASSIGN(wire::Mount mount, parse_volume(volume));
    request.mounts.push_back(std::move(mount));
  }
  request.allow_home = arguments.on("allow-home");
  request.no_guidance = arguments.on("no-guidance");
  request.no_docker_cache = arguments.on("no-docker-cache");
  request.registry_auth = arguments.on("registry-auth");
  if (arguments.on("ssh-agent")) {
    TRY_ASSIGN(request.ssh_agent, own_ssh_agent());
  }
  TRY_ASSIGN(request.template_name, template_from(arguments, request.agent));
  TRY_ASSIGN(request.pull, parse_pull(arguments));
  request.platform = arguments.text("platform");
  if (arguments.on("load-local-template")) request.from = wire::TemplateSource::kDocker;
  request.backend = arguments.text("backend");
  TRY_ASSIGN(request.environment, environment_from(context, arguments));
  TRY_ASSIGN(request.labels, labels_from(context, arguments));
  request.directory = arguments.text("workdir");
  if (is_left_out && !arguments.given("workspace")) TRY(check_directory_is_no_workspace(request));
  TRY_ASSIGN(request.limits, parse_limits(arguments));
  TRY_ASSIGN(request.docker, parse_docker(arguments));
  TRY_ASSIGN(request.ttl_s, parse_time(arguments, "ttl"));
  TRY_ASSIGN(request.idle_stop_s, parse_time(arguments, "idle-stop"));
  request.policy = edits_from(arguments);
  TRY(grant_mcp_servers(arguments, request));
  for (const std::string& text : arguments.list("publish")) {
    TRY_ASSIGN(const auto specs, parse_ports("publish", text));
    for (const PortSpec& spec : specs) request.ports.push_back(spec.published());
  }
  for (const std::string& text : arguments.list("add-host")) {
    TRY_ASSIGN(wire::StaticHost host, parse_static_host(text));
    request.hosts.push_back(std::move(host));
  }
  return request;
}

Result<wire::SandboxInfo> create_with_progress(const Context& context, const Client& client,
                                               const wire::CreateRequest& request, bool quiet) {
  Progress progress(context.streams.err, quiet);
  return create_sandbox(client, request, [&](const Step& step) { progress.show(step); });
}

}  // namespace sbx::cli
