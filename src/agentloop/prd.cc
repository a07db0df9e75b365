// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/prd.h"

#include <algorithm>

#include "base/text.h"

namespace sbx::agentloop {
namespace {

constexpr const char* kLists[] = {"stories", "userStories"};
constexpr const char* kAcceptance[] = {"acceptance_criteria", "acceptanceCriteria", "acceptance"};
constexpr std::size_t kLongestId = 256;  // the record of each iteration has one

std::string string_in(const Json& story, const char* name) {
  const auto found = story.find(name);
  if (found == story.end()) return "";
  return found->is_string() ? found->get<std::string>() : found->is_number() ? dump(*found) : "";
}

bool flag_in(const Json& story, const char* name) {
  const auto found = story.find(name);
  return found != story.end() && found->is_boolean() && found->get<bool>();
}

std::vector<std::string> acceptance_of(const Json& story) {
  std::vector<std::string> criteria;
  for (const char* name : kAcceptance) {
    const auto found = story.find(name);
    if (found == story.end()) continue;
    if (found->is_string()) criteria.push_back(found->get<std::string>());
    if (!found->is_array()) continue;
    for (const Json& criterion : *found)
      if (criterion.is_string()) criteria.push_back(criterion.get<std::string>());
  }
  return criteria;
}

// A story without an id is known by its place.
Story story_of(const Json& json, std::size_t place) {
  Story story{.place = place,
              .id = string_in(json, "id"),
              .title = string_in(json, "title"),
              .description = string_in(json, "description"),
              .acceptance = acceptance_of(json),
              .passes = flag_in(json, "passes"),
              .skipped = flag_in(json, "skipped")};
  if (story.id.empty()) story.id = std::to_string(place + 1);
  const auto priority = json.find("priority");
  if (priority != json.end() && priority->is_number_integer()) story.priority = priority->get<std::int64_t>();
  return story;
}

}  // namespace

Result<Prd> Prd::parse(std::string_view text) {
  if (text.size() > kLongest) return fail(Code::kTooLarge, "it is longer than 1 MiB");
  TRY_ASSIGN(Json json, parse_json(text));
  if (!json.is_object()) return fail(Code::kInvalid, "it is no JSON object");
  const auto has_list = [&](const char* name) { return json.contains(name) && json[name].is_array(); };
  if (std::ranges::none_of(kLists, has_list)) return fail(Code::kInvalid, "it has no list \"stories\"");
  Prd prd(std::move(json));
  std::vector<std::string> ids;
  for (const Json& story : prd.list()) {
    if (!story.is_object()) return fail(Code::kInvalid, "a story is no JSON object");
    ids.push_back(story_of(story, ids.size()).id);
    if (ids.back().size() > kLongestId) return fail(Code::kInvalid, "the id of a story is longer than 256 bytes");
  }
  if (ids.empty()) return fail(Code::kInvalid, "it has no story");
  std::ranges::sort(ids);
  if (const auto twice = std::ranges::adjacent_find(ids); twice != ids.end())
    return fail(Code::kInvalid, "two stories have the id " + printable(*twice));
  return prd;
}

Json& Prd::list() {
  return json_.contains(kLists[0]) && json_[kLists[0]].is_array() ? json_[kLists[0]] : json_[kLists[1]];
}

std::vector<Story> Prd::stories() const {
  std::vector<Story> stories;
  for (const Json& story : list()) stories.push_back(story_of(story, stories.size()));
  return stories;
}

std::optional<Story> Prd::next() const {
  std::vector<Story> open = stories();
  std::erase_if(open, [](const Story& story) { return story.passes || story.skipped; });
  const auto first = std::ranges::min_element(open, {}, &Story::priority);
  return first == open.end() ? std::nullopt : std::optional(*first);
}

std::optional<Story> Prd::story(std::string_view id) const {
  for (Story& story : stories())
    if (story.id == id) return std::move(story);
  return std::nullopt;
}

bool Prd::mark(std::string_view id, bool passes) {
  const auto found = story(id);
  if (!found || found->passes == passes) return false;
  list()[found->place]["passes"] = passes;
  return true;
}

std::string Prd::text() const { return dump_pretty(json_) + "\n"; }

}  // namespace sbx::agentloop
