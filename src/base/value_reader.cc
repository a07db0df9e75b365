// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/value_reader.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace sbx {
namespace {

bool has_nul(std::string_view text) { return text.find('\0') != std::string_view::npos; }

std::string in_quotes(std::string_view name) { return "\"" + std::string(name) + "\""; }

std::string alternatives(const std::vector<std::string_view>& words) {
  std::vector<std::string> shown;
  for (const std::string_view word : words)
    if (!word.empty()) shown.emplace_back(word);
  if (shown.size() < 2) return join(shown, "");
  const std::string last = shown.back();
  shown.pop_back();
  return join(shown, ", ") + " or " + last;
}

}  // namespace

ValueReader::ValueReader(const Json& json, std::string_view what, Unknown unknown) : unknown_(unknown) {
  places_.push_back({&json, std::string(what), false});
  begin_object();
}

Result<> ValueReader::finish() {
  close();
  if (error_) return fail(*error_);
  return Ok{};
}

void ValueReader::reject(std::string_view why) {
  if (error_) return;
  std::string path;
  for (std::size_t i = 0; i + 1 < places_.size(); ++i)
    if (!places_[i + 1].is_item) path += places_[i].name + ": ";
  error_ = Error(Code::kInvalid, path + std::string(why));
}

void ValueReader::mistyped(std::string_view wanted) {
  reject((places_.back().is_item ? "each of " : "") + in_quotes(places_.back().name) + " must be " +
         std::string(wanted));
}

void ValueReader::check(bool holds, std::string_view otherwise) {
  if (holds || error_) return;
  std::string path;
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (i + 1 == places_.size() || !places_[i + 1].is_item) path += places_[i].name + ": ";
  error_ = Error(Code::kInvalid, path + std::string(otherwise));
}

const Json* ValueReader::find(std::string_view name) {
  Level& level = levels_.back();
  if (level.members == nullptr) return nullptr;
  const auto& members = *level.members;
  std::size_t at = level.next;
  if (at >= members.size() || members.data()[at].first != name)
    at = static_cast<std::size_t>(
        std::ranges::find_if(members, [name](const auto& member) { return member.first == name; }) - members.begin());
  if (at == members.size()) return nullptr;
  level.asked[at] = true;
  level.next = at + 1;
  return members.data()[at].second.is_null() ? nullptr : &members.data()[at].second;
}

bool ValueReader::enter(const char* name, Presence presence, bool) {
  const Json* value = find(name);
  if (value == nullptr) {
    check(presence != Presence::kRequired, in_quotes(name) + " is missing");
    return false;
  }
  places_.push_back({value, name, false});
  return true;
}

void ValueReader::leave() { places_.pop_back(); }

void ValueReader::text(std::string& value) {
  const auto* string = here().get_ptr<const std::string*>();
  if (string == nullptr) return mistyped("a string");
  if (has_nul(*string)) return mistyped("a string without NUL");
  value = *string;
}

void ValueReader::boolean(bool& value) {
  if (!here().is_boolean()) return mistyped("true or false");
  value = here().get<bool>();
}

void ValueReader::number(double& value) {
  if (!here().is_number() || !std::isfinite(here().get<double>())) return mistyped("a number");
  value = here().get<double>();
}

void ValueReader::integer(std::int64_t& value, std::int64_t least, std::int64_t most) {
  const Json& json = here();
  if (!json.is_number_integer() || (json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX))
    return mistyped("a whole number");
  const auto number = json.get<std::int64_t>();
  if (number < least || number > most) return reject(in_quotes(places_.back().name) + " is out of range");
  value = number;
}

void ValueReader::word(std::string& value, const std::vector<std::string_view>& words) {
  std::string read;
  text(read);
  if (std::ranges::find(words, read) != words.end())
    value = read;
  else if (unknown_ != Unknown::kIgnored)
    mistyped(alternatives(words));
}

void ValueReader::json(Json& value) { value = here(); }

void ValueReader::begin_object() {
  const auto* members = here().get_ptr<const Json::object_t*>();
  levels_.push_back({members, std::vector<bool>(members == nullptr ? 0 : members->size()), 0, nullptr});
  check(members != nullptr, "must be a JSON object");
}

// Takes note of the members that were not asked for.
void ValueReader::close() {
  Level& level = levels_.back();
  for (std::size_t i = 0; i < level.asked.size(); ++i) {
    if (level.asked[i]) continue;
    const auto& [name, value] = level.members->data()[i];
    if (unknown_ == Unknown::kRefused) check(false, "unknown member " + in_quotes(name));
    if (unknown_ == Unknown::kKept) level.unknown[name] = value;
  }
  Json unknown = std::move(level.unknown);
  levels_.pop_back();
  if (levels_.empty())
    unknown_members_ = unknown.is_null() ? Json::object() : std::move(unknown);
  else if (!unknown.is_null() && !places_.back().is_item)
    levels_.back().unknown[places_.back().name] = std::move(unknown);
}

void ValueReader::end_object() { close(); }

std::size_t ValueReader::begin_list(std::size_t) {
  const auto* list = here().get_ptr<const Json::array_t*>();
  if (list == nullptr) mistyped("an array");
  places_.push_back({nullptr, places_.back().name, true});
  return list == nullptr ? 0 : list->size();
}

void ValueReader::item(std::size_t index) {
  places_.back().value = &(*places_[places_.size() - 2].value->get_ptr<const Json::array_t*>())[index];
}

void ValueReader::end_list() { places_.pop_back(); }

std::size_t ValueReader::begin_map(std::size_t) {
  const auto* map = here().get_ptr<const Json::object_t*>();
  if (map == nullptr) mistyped("an object");
  places_.push_back({nullptr, places_.back().name, true});
  return map == nullptr ? 0 : map->size();
}

void ValueReader::key(std::size_t index, std::string& key) {
  const auto& [name, value] = places_[places_.size() - 2].value->get_ptr<const Json::object_t*>()->data()[index];
  places_.back().value = &value;
  if (has_nul(name)) return mistyped("named without NUL");
  key = name;
}

void ValueReader::end_map() { places_.pop_back(); }

}  // namespace sbx
