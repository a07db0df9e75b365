// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "openclaw/session_key.h"

#include <algorithm>
#include <cctype>

#include "base/format.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/utf8.h"

namespace sbx::openclaw {
namespace {

constexpr std::size_t kLongestKey = 512;
constexpr std::size_t kLongestAgent = 64;
constexpr std::size_t kHashDigits = 20;
constexpr std::string_view kAgentPrefix = "agent:";

bool is_plain(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

Result<> check_key(std::string_view key) {
  if (key.empty()) return fail(Code::kInvalid, "the session's key is empty");
  if (key.size() > kLongestKey)
    return fail(Code::kInvalid, sbx::format("the session's key is longer than {} bytes", kLongestKey));
  for (std::string_view rest = key; !rest.empty();) {
    const auto character = first_character(rest);
    if (!character || character->code <= ' ' || steers_display(character->code))
      return fail(Code::kInvalid, "session key " + printable(key) + ": it has a blank or control character in it");
    rest.remove_prefix(character->size);
  }
  return Ok{};
}

Result<std::string> agent_of(std::string_view key, const KeyRules& rules) {
  if (!key.starts_with(kAgentPrefix)) return rules.usual_agent;
  key.remove_prefix(kAgentPrefix.size());
  const auto end = key.find(':');
  std::string id(key.substr(0, end));
  std::ranges::transform(id, id.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool is_id = !id.empty() && id.size() <= kLongestAgent && is_plain(id.front()) &&
                     std::ranges::all_of(id, [](char c) { return is_plain(c) || c == '-' || c == '_'; });
  if (end == std::string_view::npos || end + 1 == key.size() || !is_id)
    return fail(Code::kInvalid, "session key agent:" + printable(key) +
                                    ": it must be agent:<id>:<session>, and an id has "
                                    "letters, digits, - and _");
  return id;
}

}  // namespace

Result<Session> parse_session(std::string_view key, const KeyRules& rules) {
  TRY(check_key(key));
  TRY_ASSIGN(std::string agent, agent_of(key, rules));
  const std::string prefix = std::string(kAgentPrefix) + agent + ":";
  const bool is_main = key == "main" || key == rules.main_key || key == prefix + "main" ||
                       key == prefix + rules.main_key || (rules.is_global && key == "global");
  return Session{is_main ? prefix + rules.main_key : std::string(key), std::move(agent), is_main};
}

std::string scope_key(const Session& session, Scope scope) {
  if (scope == Scope::kShared) return "shared";
  return scope == Scope::kSession ? session.key : std::string(kAgentPrefix) + session.agent;
}

std::string agent_of_scope(std::string_view scope_key, const KeyRules& rules) {
  // An agent's own has no session behind the id.
  auto agent = agent_of(std::string(scope_key) + ":all", rules);
  return agent ? std::move(*agent) : rules.usual_agent;
}

std::string slug_of(std::string_view key, std::size_t longest) {
  std::string readable;
  for (const unsigned char c : key) {
    const char low = static_cast<char>(std::tolower(c));
    if (is_plain(low))
      readable += low;
    else if (!readable.empty() && readable.back() != '-')
      readable += '-';
  }
  readable.resize(std::min(readable.size(), longest - kHashDigits - 1));
  while (readable.ends_with('-')) readable.pop_back();
  return (readable.empty() ? "session" : readable) + "-" + sha256_hex(key).substr(0, kHashDigits);
}

}  // namespace sbx::openclaw
