// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/views/session_listing.h"

#include <time.h>

#include <array>
#include <utility>

#include "base/format.h"
#include "base/text.h"
#include "base/value.h"
#include "cli/views/output.h"

namespace sbx::cli {
namespace {

constexpr std::size_t kLongestShown = 48;

std::string shown_command(const wire::SessionInfo& session, bool whole) {
  std::string text = command_text(session);
  if (whole || text.size() <= kLongestShown) return text;
  return text.substr(0, kLongestShown - 3) + "...";
}

std::string shown_state(const wire::SessionInfo& session) {
  if (session.state != wire::SessionState::kEnded) return std::string(word_of(session.state));
  return session.exit ? sbx::format("ended ({})", session.exit->code) : "ended";
}

// As a user would count: who can type, and who looks on.
std::string shown_clients(const wire::SessionInfo& session) {
  if (session.state == wire::SessionState::kEnded) return "";
  if (session.clients == 0 && session.watchers == 0) return "none";
  std::vector<std::string> kinds;
  if (session.clients > 0) kinds.push_back(sbx::format("{} attached", session.clients));
  if (session.watchers > 0) kinds.push_back(sbx::format("{} watching", session.watchers));
  return join(kinds, ", ");
}

}  // namespace

std::string command_text(const wire::SessionInfo& session) { return join(session.command, " "); }

std::string time_ago(const std::string& rfc3339, WallTime now) {
  struct tm parts {};
  if (::strptime(rfc3339.c_str(), "%Y-%m-%dT%H:%M:%S", &parts) == nullptr) return rfc3339;
  const auto seconds = std::max<std::int64_t>(microseconds_of(now) / 1'000'000 - ::timegm(&parts), 0);
  constexpr std::array<std::pair<std::int64_t, const char*>, 3> kUnits{
      {{86400, "day"}, {3600, "hour"}, {60, "minute"}}};
  for (const auto& [size, unit] : kUnits)
    if (const auto count = seconds / size; count > 0)
      return sbx::format("{} {}{} ago", count, unit, count == 1 ? "" : "s");
  return sbx::format("{} second{} ago", seconds, seconds == 1 ? "" : "s");
}

std::string session_table(const std::vector<SandboxSession>& sessions, WallTime now, bool whole) {
  std::vector<std::vector<std::string>> rows{{"SANDBOX", "SESSION", "STATE", "CLIENTS", "SIZE", "STARTED", "COMMAND"}};
  for (const auto& [sandbox, info] : sessions)
    rows.push_back({sandbox, std::to_string(info.session), shown_state(info), shown_clients(info),
                    sbx::format("{}x{}", info.window.columns, info.window.rows), time_ago(info.started_at, now),
                    shown_command(info, whole)});
  return columns(rows);
}

Json session_fields(const SandboxSession& session) {
  Json fields = {{"sandbox", session.sandbox}};
  fields.update(json_of(session.info));
  return fields;
}

}  // namespace sbx::cli
