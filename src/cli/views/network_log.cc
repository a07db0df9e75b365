// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/views/network_log.h"

#include <time.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/format.h"
#include "base/text.h"
#include "cli/views/output.h"

namespace sbx::cli {
namespace {

using wire::LoggedHost;

constexpr const char* kTimeAndDay = "%H:%M:%S %d-%b";

bool is_of_others(const LoggedHost& line) { return line.host == LoggedHost::kOthers; }

bool is_about_the_same(const LoggedHost& one, const LoggedHost& other) {
  return one.sandbox == other.sandbox && one.host == other.host && one.rule == other.rule;
}

// What differs only in its way through the proxy is one line. The newest first, as they come.
std::vector<LoggedHost> lines_of(const std::vector<LoggedHost>& hosts, std::size_t limit) {
  std::vector<LoggedHost> lines;
  for (const LoggedHost& host : hosts) {
    const auto same = std::ranges::find_if(lines, [&](const auto& line) { return is_about_the_same(line, host); });
    if (same != lines.end())
      same->count += host.count;
    else
      lines.push_back(host);
  }
  if (limit != 0 && lines.size() > limit) lines.resize(limit);
  return lines;
}

// In the user's time zone; a text that is no time as it is.
std::string local_time(const std::string& rfc3339, const char* format) {
  struct tm parts {};
  if (::strptime(rfc3339.c_str(), "%Y-%m-%dT%H:%M:%S", &parts) == nullptr) return rfc3339;
  const time_t seconds = ::timegm(&parts);
  std::array<char, 64> text{};
  const std::size_t size =
      ::localtime_r(&seconds, &parts) == nullptr ? 0 : ::strftime(text.data(), text.size(), format, &parts);
  return std::string(text.data(), size);
}

using Rows = std::vector<std::vector<std::string>>;

void add_rows(Rows& rows, const std::vector<LoggedHost>& hosts, std::size_t limit) {
  for (const LoggedHost& line : lines_of(hosts, limit))
    rows.push_back(
        {line.sandbox, line.host, line.rule, local_time(line.last_seen, kTimeAndDay), std::to_string(line.count)});
}

std::string table(std::string_view title, const std::vector<LoggedHost>& hosts, std::size_t limit) {
  Rows rows{{"SANDBOX", "HOST", "RULE", "LAST SEEN", "COUNT"}};
  add_rows(rows, hosts, limit);
  return sbx::format("{}\n{}", title, columns(rows));
}

std::string loss_line(const wire::UnwrittenDecisions& lost) {
  const std::string since = local_time(lost.since, kTimeAndDay);
  const std::string last = local_time(lost.last_seen, kTimeAndDay);
  const std::string when = since == last ? "at " + since : sbx::format("between {} and {}", since, last);
  return printable(sbx::format("{}: {} {} could not be written, {}", lost.sandbox, lost.count,
                               lost.count == 1 ? "decision" : "decisions", when)) +
         "\n";
}

std::string duration_text(std::int64_t microseconds) {
  return microseconds < 0 ? "open" : sbx::format("{:.1f}ms", static_cast<double>(microseconds) / 1000);
}

}  // namespace

std::string network_log_tables(const wire::NetworkLog& log, bool blocked_only, std::size_t limit) {
  std::string out = table("Blocked requests:", log.blocked, limit);
  if (!blocked_only) out += "\n" + table("Allowed requests:", log.allowed, limit);
  const std::string losses = network_log_losses(log);
  return losses.empty() ? out : out + "\n" + losses;
}

std::string network_log_rows(const wire::NetworkLog& log, std::size_t limit) {
  Rows rows;
  add_rows(rows, log.blocked, limit);
  add_rows(rows, log.allowed, limit);
  return columns(rows);
}

std::string network_log_losses(const wire::NetworkLog& log) {
  std::string out;
  for (const auto& lost : log.unwritten) out += loss_line(lost);
  return out;
}

std::string network_log_hosts(const wire::NetworkLog& log, std::size_t limit) {
  std::vector<std::string> hosts;
  for (const auto* list : {&log.blocked, &log.allowed})
    for (const LoggedHost& line : lines_of(*list, limit))
      if (!is_of_others(line) && std::ranges::find(hosts, line.host) == hosts.end()) hosts.push_back(line.host);
  std::string out;
  for (const std::string& host : hosts) out += printable(host) + "\n";
  return out;
}

std::string network_log_line(const wire::LoggedDecision& decision) {
  std::string line = sbx::format("{} {} {} {} {}", local_time(decision.time, "%H:%M:%S"), decision.sandbox,
                                 decision.allowed ? "allowed" : "blocked", word_of(decision.proxy_type), decision.host);
  const std::string request = decision.method + " " + decision.path;
  if (request != " ") line += " " + request;
  line += sbx::format(" rule={}", decision.rule);
  if (decision.status != 0) line += sbx::format(" status={}", decision.status);
  line += sbx::format(" sent={} received={} {}", decision.sent, decision.received, duration_text(decision.duration_us));
  return printable(line) + "\n";
}

}  // namespace sbx::cli
