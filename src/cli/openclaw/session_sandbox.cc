// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/openclaw/session_sandbox.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/file.h"
#include "base/format.h"
#include "base/home.h"
#include "base/lock.h"
#include "base/sha256.h"
#include "base/text.h"
#include "cli/client/remote.h"
#include "cli/client/templates.h"
#include "cli/openclaw/session_request.h"
#include "cli/views/output.h"
#include "exchange/exec_stream.h"
#include "openclaw/bind_rules.h"

namespace sbx::cli {
namespace {

using openclaw::Decision;
using openclaw::Settings;

// Images that OpenClaw's documentation names for its sandboxes. Where there is no such template, ours serves as well.
constexpr std::string_view kUsualImages[] = {"openclaw/sandbox:latest", "openclaw-sandbox:bookworm-slim"};

struct Lock {
  Fd file;
  std::string path;
};

// One process at a time makes, changes or removes a session's sandbox.
Result<Lock> open_lock(const std::string& sandbox) {
  TRY_ASSIGN(const std::string home, sessions_home());
  TRY(make_directories(home, 0700));
  const std::string path = home + "/" + sandbox + ".lock";
  TRY_ASSIGN(Fd file, open_path(path, O_RDWR | O_CREAT | O_NOFOLLOW));
  return Lock{std::move(file), path};
}

Result<Fd> lock_session(const std::string& sandbox) {
  TRY_ASSIGN(Lock lock, open_lock(sandbox));
  TRY(lock_file(lock.file, lock.path));
  return std::move(lock.file);
}

Result<std::optional<wire::SandboxInfo>> existing(const Client& client, const std::string& name) {
  auto found = get_sandbox(client, name);
  if (found) return std::optional(std::move(*found));
  if (found.error().code() == Code::kNotFound) return std::nullopt;
  return fail(std::move(found).error());
}

Result<> remove_if_there(const Client& client, const std::string& name) {
  const auto removed = remove_sandbox(client, name);
  if (!removed && removed.error().code() != Code::kNotFound) return fail(Error(removed.error()));
  return Ok{};
}

// SECURITY: with their links resolved, what is shared has to be what may be. The daemon looks again when it mounts.
Result<> check_sources(const Settings& settings) {
  TRY_ASSIGN(const std::string home, user_home());
  TRY_ASSIGN(const std::string own_home, canonical_path(home));
  for (const auto& mount : settings.mounts) {
    TRY_ASSIGN(const std::string path, canonical_path(mount.source));
    TRY_WITHIN("mount " + printable(mount.source), openclaw::check_bind_source(path, own_home));
  }
  if (settings.workspace_access == openclaw::WorkspaceAccess::kNone || !exists(settings.agent_workspace)) return Ok{};
  TRY_ASSIGN(const std::string workspace, canonical_path(settings.agent_workspace));
  return openclaw::check_bind_source(workspace, own_home);
}

Result<> make_own_directories(const Settings& settings, const Decision& decision) {
  const SessionDirectories own = session_directories(settings, decision);
  if (!own.workspace.empty()) TRY(make_directories(own.workspace, 0700));
  if (own.tmp.empty()) return Ok{};
  TRY(make_directories(own.tmp, 0700));
  TRY_ASSIGN(const Fd tmp, open_path(own.tmp, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  return ::fchmod(tmp.get(), 01777) == 0 ? Result<>() : fail_errno("make " + own.tmp);
}

Result<std::string> template_for(const Client& client, const std::string& image) {
  if (std::ranges::find(kUsualImages, image) == std::end(kUsualImages)) return image;
  const auto known = get_template(client, image);
  if (known) return image;
  if (known.error().code() != Code::kNotFound) return fail(Error(known.error()));
  note("there is no template " + image + ": sessions get the usual one");
  return std::string();
}

Result<wire::SandboxInfo> make(const Client& client, wire::CreateRequest request, const Settings& settings,
                               const Decision& decision, const OnStep& on_step) {
  TRY(make_own_directories(settings, decision));
  TRY_ASSIGN(request.template_name, template_for(client, settings.image));
  return create_sandbox(client, request, on_step);
}

// Once for each sandbox, also when this process dies meanwhile: the sandbox itself knows whether it was done.
Result<> set_up(const Client& client, const std::string& name, const std::string& command) {
  if (command.empty()) return Ok{};
  const std::string done = "/var/lib/openclaw-setup-" + sha256_hex(command).substr(0, 16);
  wire::ExecRequest request;
  request.command = {"/bin/sh", "-c", R"([ -e "$1" ] || { /bin/sh -lc "$2" >&2 && touch "$1"; })",
                     "setup",   done, command};
  request.user = "root";
  TRY_ASSIGN(exchange::Upgraded upgraded, open_exec(client, name, request));
  TRY_WITHIN("setupCommand in " + name, exchange::ExecStream(std::move(upgraded)).finish());
  return Ok{};
}

WallTime time_of(const std::string& text, WallTime otherwise) { return parse_rfc3339(text).value_or(otherwise); }

bool is_due(const openclaw::Prune& prune, const wire::SandboxInfo& sandbox, WallTime time) {
  const WallTime created = time_of(sandbox.created_at, time);
  return openclaw::is_due(prune, created, time_of(sandbox.used_at, created), sandbox.status != wire::Status::kStopped,
                          time);
}

// One that another command has started meanwhile is in use again, and stays.
Result<bool> remove_unused(const Client& client, const wire::SandboxInfo& sandbox) {
  const bool was_stopped = sandbox.status == wire::Status::kStopped;
  const auto removed =
      was_stopped ? remove_stopped_sandbox(client, sandbox.name) : remove_sandbox(client, sandbox.name);
  if (removed) return true;
  const Code code = removed.error().code();
  if (code == Code::kNotFound || (was_stopped && code == Code::kConflict)) return false;
  return fail(Error(removed.error()));
}

// One that another command makes right now is in use. Looked at again, because it may have been made anew before.
Result<bool> remove_due(const Client& client, const std::string& name, const openclaw::Prune& prune) {
  TRY_ASSIGN(const Lock lock, open_lock(name));
  TRY_ASSIGN(const bool is_locked, try_lock_file(lock.file, lock.path));
  if (!is_locked) return false;
  TRY_ASSIGN(const auto sandbox, existing(client, name));
  if (!sandbox || !is_due(prune, *sandbox, now())) return false;
  return remove_unused(client, *sandbox);
}

}  // namespace

Result<std::string> sessions_home() {
  TRY_ASSIGN(const Home home, Home::find());
  return home.root() + "/openclaw";
}

Result<std::vector<wire::SandboxInfo>> session_sandboxes(const Client& client) {
  TRY_ASSIGN(auto sandboxes, list_sandboxes(client));
  std::erase_if(sandboxes, [](const auto& sandbox) { return label_of(sandbox, kSessionLabel).empty(); });
  return sandboxes;
}

Result<wire::SandboxInfo> ready_session_sandbox(const Client& client, const Settings& settings,
                                                const Decision& decision, const OnStep& on_step) {
  const wire::CreateRequest request = session_request(settings, decision);
  TRY_ASSIGN(const Fd lock, lock_session(decision.sandbox));
  TRY_ASSIGN(auto sandbox, existing(client, decision.sandbox));
  if (sandbox && label_of(*sandbox, kScopeLabel) != decision.scope_key)
    return fail(Code::kConflict, "sandbox " + decision.sandbox + " is not of this session",
                "sandbox rm " + decision.sandbox);
  const bool is_current = sandbox && label_of(*sandbox, kConfigLabel) == request.labels.front().second;
  if (!is_current) TRY(check_sources(settings));  // before the one that is there is removed
  if (sandbox && !is_current) {
    note("the configuration has changed: " + decision.sandbox + " is made anew");
    TRY(remove_if_there(client, decision.sandbox));
    sandbox.reset();
  }
  if (!sandbox) {
    TRY_ASSIGN(sandbox, make(client, request, settings, decision, on_step));
  }
  if (const auto edits = session_policy(settings); !edits.empty()) TRY(edit_policy(client, decision.sandbox, edits));
  TRY_ASSIGN(wire::SandboxInfo started, start_sandbox(client, decision.sandbox));
  TRY(set_up(client, decision.sandbox, settings.setup_command));
  return started;
}

Result<> remove_session_sandbox(const Client& client, const std::string& name) {
  TRY_ASSIGN(const Fd lock, lock_session(name));
  return remove_if_there(client, name);
}

Result<std::vector<std::string>> prune_sessions(const Client& client, const PruneOf& prune_of) {
  TRY_ASSIGN(const auto sandboxes, session_sandboxes(client));
  std::vector<std::string> removed;
  for (const wire::SandboxInfo& sandbox : sandboxes) {
    const auto prune = prune_of(label_of(sandbox, kScopeLabel));
    // A mistake in what is said for another agent is not this one's to suffer from.
    if (!prune || !is_due(*prune, sandbox, now())) continue;
    TRY_ASSIGN(const bool is_gone, remove_due(client, sandbox.name, *prune));
    if (is_gone) removed.push_back(sandbox.name);
  }
  return removed;
}

}  // namespace sbx::cli
