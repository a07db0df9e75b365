// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/ralph_history.h"

#include "base/file.h"

namespace sbx::agentloop {
namespace {

std::int64_t integer_of(const Json& object, const char* name) {
  const Json value = member_of(object, name);
  return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}

std::map<std::string, int> counts_of(const Json& object) {
  std::map<std::string, int> counts;
  if (!object.is_object()) return counts;
  for (const auto& [name, count] : object.items())
    if (count.is_number_integer()) counts[name] = count.get<int>();
  return counts;
}

RalphHeard heard_in(const Json& entry) {
  RalphHeard heard;
  heard.tools = counts_of(member_of(entry, "toolsUsed"));
  const Json errors = member_of(entry, "errors");
  for (const Json& error : errors)
    if (errors.is_array() && error.is_string()) heard.errors.push_back(error.get<std::string>());
  return heard;
}

}  // namespace

Json json_in_file(const std::string& path) {
  const auto text = read_file(path);
  auto json = text ? parse_json(*text) : Result<Json>(fail(Error(text.error())));
  return json ? std::move(*json) : Json();
}

Json member_of(const Json& object, const char* name) {
  return object.is_object() && object.contains(name) ? object[name] : Json();
}

RalphHistory RalphHistory::read(const std::string& directory) {
  const Json json = json_in_file(directory + "/.ralph/ralph-history.json");
  const Json struggle = member_of(json, "struggleIndicators");
  RalphHistory history{.iterations = {},
                       .duration_ms = integer_of(json, "totalDurationMs"),
                       .errors = counts_of(member_of(struggle, "repeatedErrors")),
                       .without_change = integer_of(struggle, "noProgressIterations"),
                       .short_ones = integer_of(struggle, "shortIterations")};
  for (const Json& entry : member_of(json, "iterations"))
    if (member_of(entry, "iteration").is_number_integer())
      history.iterations.push_back({integer_of(entry, "iteration"), integer_of(entry, "durationMs"),
                                    integer_of(entry, "exitCode"), member_of(entry, "filesModified").size(),
                                    heard_in(entry)});
  return history;
}

}  // namespace sbx::agentloop
