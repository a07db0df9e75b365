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

constexpr const char* kTimeAndDay = "%H:%M:%S %d-%b";

struct Line {
  std::string sandbox;
  std::string host;
  std::string rule;
  std::string last_seen;  // RFC 3339, which sorts by time
  std::int64_t count = 0;

  bool is_of_others() const { return host.starts_with('<'); }  // "<other hosts>"
  bool is_about_the_same(const Line& other) const {
    return sandbox == other.sandbox && host == other.host && rule == other.rule;
  }
};

Result<Line> decode_line(const Json& json) {
  Fields fields(json, "network log");
  Line line{fields.text("vm_name"), fields.text("host"), fields.text("rule"), fields.text("last_seen"),
            fields.integer("count_since", 0)};
  TRY(fields.finish(/*allow_unknown=*/true));
  return line;
}

// The newest first, as they come.
Result<std::vector<Line>> lines_of(const Json& log, const char* list) {
  std::vector<Line> lines;
  Fields fields(log, "network log");
  for (const Json* item : fields.list(list)) {
    TRY_ASSIGN(Line line, decode_line(*item));
    const auto same = std::ranges::find_if(lines, [&](const Line& other) { return other.is_about_the_same(line); });
    if (same != lines.end())
      same->count += line.count;
    else
      lines.push_back(std::move(line));
  }
  TRY(fields.finish(/*allow_unknown=*/true));
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

Result<std::string> table(std::string_view title, const Json& log, const char* list) {
  TRY_ASSIGN(const auto lines, lines_of(log, list));
  std::vector<std::vector<std::string>> rows{{"SANDBOX", "HOST", "RULE", "LAST SEEN", "COUNT"}};
  for (const Line& line : lines)
    rows.push_back(
        {line.sandbox, line.host, line.rule, local_time(line.last_seen, kTimeAndDay), std::to_string(line.count)});
  return sbx::format("{}\n{}", title, columns(rows));
}

Result<std::string> loss_line(const Json& json) {
  Fields fields(json, "network log");
  const std::string sandbox = fields.text("vm_name");
  const std::int64_t count = fields.integer("count", 0);
  const std::string since = local_time(fields.text("since"), kTimeAndDay);
  const std::string last = local_time(fields.text("last_seen"), kTimeAndDay);
  TRY(fields.finish(/*allow_unknown=*/true));
  const std::string when = since == last ? "at " + since : sbx::format("between {} and {}", since, last);
  return printable(sbx::format("{}: {} {} could not be written, {}", sandbox, count,
                               count == 1 ? "decision" : "decisions", when)) +
         "\n";
}

std::string duration_text(std::int64_t microseconds) {
  return microseconds < 0 ? "open" : sbx::format("{:.1f}ms", static_cast<double>(microseconds) / 1000);
}

}  // namespace

Result<std::string> network_log_tables(const Json& log, bool blocked_only) {
  TRY_ASSIGN(std::string out, table("Blocked requests:", log, "blocked_hosts"));
  if (!blocked_only) {
    TRY_ASSIGN(const std::string allowed, table("Allowed requests:", log, "allowed_hosts"));
    out += "\n" + allowed;
  }
  TRY_ASSIGN(const std::string losses, network_log_losses(log));
  return losses.empty() ? out : out + "\n" + losses;
}

Result<std::string> network_log_losses(const Json& log) {
  Fields fields(log, "network log");
  std::string out;
  for (const Json* item : fields.list("unwritten")) {
    TRY_ASSIGN(const std::string line, loss_line(*item));
    out += line;
  }
  TRY(fields.finish(/*allow_unknown=*/true));
  return out;
}

Result<std::string> network_log_hosts(const Json& log) {
  std::vector<std::string> hosts;
  for (const char* list : {"blocked_hosts", "allowed_hosts"}) {
    TRY_ASSIGN(const auto lines, lines_of(log, list));
    for (const Line& line : lines)
      if (!line.is_of_others() && std::ranges::find(hosts, line.host) == hosts.end()) hosts.push_back(line.host);
  }
  std::string out;
  for (const std::string& host : hosts) out += printable(host) + "\n";
  return out;
}

Result<std::string> network_log_line(const Json& decision) {
  Fields fields(decision, "decision");
  const std::string time = local_time(fields.text("time"), "%H:%M:%S");
  const std::string request = fields.text("method", "") + " " + fields.text("path", "");
  const std::int64_t status = fields.integer("status", 0);
  std::string line = sbx::format("{} {} {} {} {}", time, fields.text("vm_name"),
                                 fields.boolean("allowed", false) ? "allowed" : "blocked", fields.text("proxy_type"),
                                 fields.text("host"));
  if (request != " ") line += " " + request;
  line += sbx::format(" rule={}", fields.text("rule"));
  if (status != 0) line += sbx::format(" status={}", status);
  line += sbx::format(" sent={} received={} {}", fields.integer("sent", 0), fields.integer("received", 0),
                      duration_text(fields.integer("duration_us", -1)));
  TRY(fields.finish(/*allow_unknown=*/true));
  return printable(line) + "\n";
}

}  // namespace sbx::cli
