// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/machine.h"

#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <future>

#include "guest/boot/agent.h"
#include "guest/boot/browser.h"
#include "guest/boot/git_identity.h"
#include "guest/boot/guidance.h"
#include "guest/boot/hostname.h"
#include "guest/boot/mounts.h"
#include "guest/boot/own_program.h"
#include "guest/boot/own_root.h"
#include "guest/boot/ralph.h"
#include "guest/boot/timing.h"
#include "guest/boot/way_to_mounts.h"
#include "guest/mcp/agent_file.h"
#include "guest/network/redirect.h"
#include "guest/network/resolver.h"
#include "guest/network/routes.h"
#include "guest/trust/trust.h"

namespace sbx::guest {

Result<> System::mount_missing() { return timed(timings_, "mounts", mount_system); }

// A full or read-only disk must not keep the user out of a sandbox: without these it works, if less comfortably.
Result<Timings> System::set_up(const wire::GuestConfig& config, const Warn& warn) {
  std::future<Result<>> network;
  if (config.network) network = std::async(std::launch::async, [this] { return set_up_network(); });
  const auto hostname = timed(timings_, "hostname", [&] { return ensure_hostname(config.hostname); });
  if (!hostname) warn("the host name is not set: " + hostname.error().what());
  const auto agent = timed(timings_, "agent", [] { return ensure_agent(); });
  if (!agent) warn("the user agent is not set up: " + agent.error().what());
  if (const auto git = ensure_git_identity(config.git); !git) warn("git does not know you: " + git.error().what());
  if (const auto told = agent ? ensure_guidance(config.guidance, *agent) : Ok{}; !told)
    warn("the page for the model is not written: " + told.error().what());
  if (const auto offered = offer_browser(); !offered) warn("no page can be opened: " + offered.error().what());
  if (const auto offered = offer_ralph(); !offered) warn("there is no ralph: " + offered.error().what());
  if (config.mcp && agent) set_up_mcp(*config.mcp, *agent, warn);
  if (const auto open = open_way_to_mounts(); !open) warn("a workspace cannot be entered: " + open.error().what());
  if (config.network) set_up_names_and_trust(*config.network, warn);
  if (const auto root = OwnRoot::open()) root->end_first_start();
  // What is left of it: the kernel takes its time, while the files are read and written.
  const auto reachable = timed(timings_, "network", [&] { return network.valid() ? network.get() : Ok{}; });
  if (!reachable) warn("there is no network: " + reachable.error().what());
  return timings_;
}

void System::set_up_mcp(const wire::GuestMcp& mcp, const Account& agent, const Warn& warn) {
  if (const auto offered = put_own_program(std::string(wire::kMcpProgram)); !offered)
    warn("MCP servers cannot be reached: " + offered.error().what());
  if (const auto told = ensure_mcp_files(mcp, agent); !told)
    warn("the agent is not told of its MCP servers: " + told.error().what());
}

Result<> System::set_up_network() {
  TRY(prepare_network());
  TRY(set_up_routes());
  return set_up_redirect();
}

void System::set_up_names_and_trust(const wire::GuestNetwork& network, const Warn& warn) {
  const auto resolver = timed(timings_, "resolver", [] { return ensure_resolver(); });
  if (!resolver) warn("names are not resolved: " + resolver.error().what());
  const auto trusted = timed(timings_, "trust", [&] { return trust(network); });
  if (!trusted) warn("the proxy's certificates are not trusted: " + trusted.error().what());
}

void System::signal_everyone(int number) {
  // From any other process this would reach everything that the user may signal.
  if (::getpid() != 1) std::abort();
  ::kill(-1, number);
}

void System::end(int code) {
  code_ = code;
  loop_.stop();
}

void System::leave() { ::_exit(code_); }

}  // namespace sbx::guest
