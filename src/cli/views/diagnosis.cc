// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/views/diagnosis.h"

#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/format.h"
#include "base/socket.h"
#include "base/text.h"
#include "base/value.h"
#include "cli/views/output.h"

namespace sbx::cli {
namespace {

using backends::Check;
using backends::CheckStatus;

constexpr std::uint64_t kGiB = 1u << 30;
constexpr std::uint64_t kLittleSpace = 5 * kGiB;
constexpr std::uint64_t kNoSpace = kGiB;

Check state_directory(const Home& home) {
  if (auto made = make_directories(home.root(), 0700); !made)
    return {"state directory", CheckStatus::kFail, made.error().what(), "export SANDBOXES_HOME=/a/directory/of/yours"};
  if (::access(home.root().c_str(), R_OK | W_OK | X_OK) != 0)
    return {"state directory", CheckStatus::kFail, Error::from_errno(home.root()).what(), "ls -ld " + home.root()};
  return {"state directory", CheckStatus::kPass, home.root(), ""};
}

Check disk_space(const Home& home) {
  struct statvfs info {};
  if (::statvfs(home.root().c_str(), &info) != 0)
    return {"disk space", CheckStatus::kSkip, Error::from_errno(home.root()).what(), ""};
  const std::uint64_t free = static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize;
  const std::string message = sbx::format("{:.1f} GiB free for {}", static_cast<double>(free) / kGiB, home.root());
  if (free >= kLittleSpace) return {"disk space", CheckStatus::kPass, message, ""};
  return {"disk space", free < kNoSpace ? CheckStatus::kFail : CheckStatus::kWarn, message,
          "sandbox ls, then sandbox rm what is not needed"};
}

Check daemon(const Home& home) {
  const auto connection = connect_unix(home.socket());
  if (connection) return {"daemon", CheckStatus::kPass, "answers on " + home.socket(), ""};
  const bool absent = connection.error().code() == Code::kNotFound || connection.error().code() == Code::kUnavailable;
  if (!absent) return {"daemon", CheckStatus::kFail, connection.error().what(), "sandbox daemon restart"};
  if (auto program = own_program("sandboxd"); !program)
    return {"daemon", CheckStatus::kFail, program.error().what(), program.error().hint()};
  return {"daemon", CheckStatus::kPass, "is not running; the first command that needs it starts it", ""};
}

struct Mark {
  CheckStatus status;
  std::string_view sign;
  Style style;
};

constexpr Mark kMarks[] = {{CheckStatus::kPass, "✓", Style::kGood},
                           {CheckStatus::kWarn, "!", Style::kWarning},
                           {CheckStatus::kFail, "✗", Style::kError},
                           {CheckStatus::kSkip, "-", Style::kBold}};

std::string mark_of(const Check& check, const Fd& out) {
  for (const Mark& mark : kMarks)
    if (mark.status == check.status) return styled(out, mark.style, mark.sign);
  return "?";
}

// Backends may have checks in common.
void add_new(std::vector<Check>& all, std::vector<Check> checks) {
  for (Check& check : checks) {
    const auto same = [&](const Check& other) { return other.name == check.name && other.message == check.message; };
    if (std::none_of(all.begin(), all.end(), same)) all.push_back(std::move(check));
  }
}

// What one backend lacks is no failure while another one works.
std::vector<Check> as_optional(const std::string& backend, std::vector<Check> checks) {
  for (Check& check : checks) {
    if (check.status != CheckStatus::kFail) continue;
    check.status = CheckStatus::kSkip;
    check.name += " (" + backend + ")";
  }
  return checks;
}

std::int64_t count_of(const std::vector<Check>& checks, CheckStatus status) {
  return std::count_if(checks.begin(), checks.end(), [&](const Check& check) { return check.status == status; });
}

}  // namespace

std::vector<Check> own_checks(const Home& home) { return {state_directory(home), disk_space(home), daemon(home)}; }

Check configuration_check(const Result<config::Config>& config) {
  if (!config) return {"configuration", CheckStatus::kFail, config.error().what(), "see docs/config.md"};
  if (!exists(config->path)) return {"configuration", CheckStatus::kPass, "there is no " + config->path, ""};
  const auto names = backends::backend_names();
  if (!config->backend.empty() && std::ranges::find(names, config->backend) == names.end())
    return {
        "configuration", CheckStatus::kFail,
        sbx::format("{}: \"backend\" is \"{}\", which is none of {}", config->path, config->backend, join(names, ", ")),
        "see docs/config.md"};
  return {"configuration", CheckStatus::kPass, config->path, ""};
}

std::vector<Check> backend_checks(const Home& home, const backends::Settings& settings, const std::string& chosen) {
  std::vector<Check> all;
  std::vector<std::pair<std::string, std::vector<Check>>> unusable;
  for (const std::string& name : backends::backend_names()) {
    const auto backend = backends::make_backend(name, settings);
    if (!backend)
      unusable.push_back({name, {{name, CheckStatus::kFail, backend.error().what(), backend.error().hint()}}});
    else if ((*backend)->available())
      add_new(all, (*backend)->checks(home.root()));
    else
      unusable.push_back({name, (*backend)->checks(home.root())});
  }
  const bool has_usable = !all.empty();
  for (auto& [name, checks] : unusable)
    add_new(all, has_usable && name != chosen ? as_optional(name, std::move(checks)) : std::move(checks));
  return all;
}

bool any_failed(const std::vector<Check>& checks) { return count_of(checks, CheckStatus::kFail) > 0; }

Json diagnosis_json(const std::vector<Check>& checks) {
  Json list = Json::array();
  for (const Check& check : checks) list.push_back(json_of(check));
  Json summary = Json::object();
  for (const Mark& mark : kMarks) summary[std::string(word_of(mark.status))] = count_of(checks, mark.status);
  return {{"checks", list}, {"summary", summary}};
}

std::string diagnosis_text(const std::vector<Check>& checks, const Fd& out) {
  std::size_t width = 0;
  for (const Check& check : checks) width = std::max(width, check.name.size());
  std::string text;
  for (const Check& check : checks) {
    text += sbx::format("{} {:<{}}  {}\n", mark_of(check, out), check.name, width, printable(check.message));
    if (!check.hint.empty() && check.status != CheckStatus::kPass)
      text += sbx::format("  {:<{}}  try: {}\n", "", width, check.hint);
  }
  return text + sbx::format("\n{} passed, {} warned, {} failed, {} skipped\n", count_of(checks, CheckStatus::kPass),
                            count_of(checks, CheckStatus::kWarn), count_of(checks, CheckStatus::kFail),
                            count_of(checks, CheckStatus::kSkip));
}

}  // namespace sbx::cli
