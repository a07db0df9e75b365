// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/choice.h"
#include "base/result.h"

namespace sbx::openclaw {

// Who shares a sandbox: all of a session, of an agent, or all sessions.
enum class Scope { kSession, kAgent, kShared };
constexpr auto choices(Scope) {
  return std::to_array<Choice<Scope>>(
      {{Scope::kSession, "session"}, {Scope::kAgent, "agent"}, {Scope::kShared, "shared"}});
}

// What the configuration says of keys: `session.mainKey`, `session.scope: "global"`, and which agent is meant by a key
// that names none.
struct KeyRules {
  std::string main_key = "main";
  bool is_global = false;
  std::string usual_agent = "main";
};

// A session of OpenClaw's, by its key: "agent:<id>:<rest>", or a rest alone. The main session of an agent is its user's
// own conversation; every other (a group, a channel, a thread) is of people who need not be trusted.
struct Session {
  std::string key;  // as it was given, but one name for all names of the main session
  std::string agent;
  bool is_main = false;
};

// SECURITY: a key is of the main session only if it is that, character by character: in the mode non-main that session
// runs on the host. Blanks, control characters and other capitals make it another key, or an error.
Result<Session> parse_session(std::string_view key, const KeyRules& rules);

// What the sandbox belongs to: two sessions with the same one share it.
std::string scope_key(const Session& session, Scope scope);

// Whose settings hold for such a sandbox: the agent's that is in it, else the usual one's.
std::string agent_of_scope(std::string_view scope_key, const KeyRules& rules);

// For a name or a file: letters, digits and single dashes, up to `longest` characters (40 at least), the last of them
// of a hash, so that two keys never have one slug in practice, whatever tricks are in them.
std::string slug_of(std::string_view key, std::size_t longest);

}  // namespace sbx::openclaw
