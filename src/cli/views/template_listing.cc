// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/views/template_listing.h"

#include <array>

#include "base/format.h"
#include "base/text.h"
#include "cli/views/output.h"
#include "cli/views/session_listing.h"

namespace sbx::cli {
namespace {

constexpr std::size_t kShownDigits = 12;
constexpr std::size_t kLongestStep = 45;  // docker's
constexpr std::string_view kNoName = "<none>";

std::vector<std::string> names_or_none(const wire::TemplateDetails& details) {
  return details.names.empty() ? std::vector<std::string>{std::string(kNoName)} : details.names;
}

// Old images, and those that are to be the same each time they are built, have no time or that of 1970.
std::string created_text(const std::string& time, WallTime now) {
  return time.empty() || time.starts_with("0001-") || time.starts_with("1970-01-01") ? "N/A" : time_ago(time, now);
}

std::string cut(const std::string& text, bool whole) {
  return whole || text.size() <= kLongestStep ? text : text.substr(0, kLongestStep - 3) + "...";
}

// "localhost:5000/box:1" is "localhost:5000/box" and "1".
std::pair<std::string, std::string> repository_and_tag(const std::string& name) {
  const auto colon = name.rfind(':');
  if (colon == std::string::npos || name.find('/', colon) != std::string::npos) return {name, ""};
  return {name.substr(0, colon), name.substr(colon + 1)};
}

}  // namespace

std::string short_digest(const std::string& digest) { return digest.substr(digest.find(':') + 1, kShownDigits); }

std::string template_name(const wire::TemplateDetails& details) {
  return details.names.empty() ? details.digest : details.names.front();
}

std::string size_text(std::int64_t bytes) {
  constexpr std::array kUnits{"B", "kB", "MB", "GB", "TB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 999.5 && unit + 1 < kUnits.size(); ++unit) size /= 1000;
  return sbx::format("{:.3g}{}", size, kUnits[unit]);
}

std::string template_table(const std::vector<wire::TemplateDetails>& templates, WallTime now, bool whole) {
  std::vector<std::vector<std::string>> rows{{"TEMPLATE", "DIGEST", "SIZE", "CREATED", "USED BY"}};
  for (const auto& details : templates)
    for (const std::string& name : names_or_none(details))
      rows.push_back({name, whole ? details.digest : short_digest(details.digest), size_text(details.bytes),
                      created_text(details.created_at, now), join(details.used_by, ", ")});
  return columns(rows);
}

std::vector<Json> template_rows(const std::vector<wire::TemplateDetails>& templates, WallTime now) {
  std::vector<Json> rows;
  for (const auto& details : templates)
    for (const std::string& name : names_or_none(details)) {
      const auto [repository, tag] = repository_and_tag(name);
      rows.push_back({{"name", name},
                      {"repository", repository},
                      {"tag", tag},
                      {"id", short_digest(details.digest)},
                      {"digest", details.digest},
                      {"size", size_text(details.bytes)},
                      {"bytes", details.bytes},
                      {"layers", details.layers.size()},
                      {"architecture", details.architecture},
                      {"source", details.source},
                      {"created_at", details.created_at},
                      {"created_since", created_text(details.created_at, now)},
                      {"used_by", details.used_by}});
    }
  return rows;
}

std::string history_table(const wire::TemplateHistory& history, WallTime now, bool whole) {
  std::vector<std::vector<std::string>> rows{{"LAYER", "CREATED", "CREATED BY", "SIZE", "COMMENT"}};
  for (const auto& step : history.steps) {
    const std::string layer = step.layer.empty() ? "<none>" : whole ? step.layer : short_digest(step.layer);
    rows.push_back({layer, created_text(step.created_at, now), cut(step.created_by, whole), size_text(step.bytes),
                    cut(step.comment, whole)});
  }
  return columns(rows);
}

std::vector<Json> history_rows(const wire::TemplateHistory& history, WallTime now) {
  std::vector<Json> rows;
  for (const auto& step : history.steps)
    rows.push_back({{"layer", step.layer},
                    {"id", short_digest(step.layer)},
                    {"created_at", step.created_at},
                    {"created_since", created_text(step.created_at, now)},
                    {"created_by", step.created_by},
                    {"size", size_text(step.bytes)},
                    {"bytes", step.bytes},
                    {"comment", step.comment}});
  return rows;
}

}  // namespace sbx::cli
