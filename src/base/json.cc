// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace sbx {
namespace {

constexpr int kDeepest = 64;

}  // namespace

Result<Json> parse_json(std::string_view text) {
  bool too_deep = false;
  std::string duplicate;
  std::vector<std::set<std::string>> keys;
  const Json::parser_callback_t watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > kDeepest) too_deep = true;
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end && !keys.empty()) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.empty() && parsed.is_string()) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!keys.back().insert(key).second && duplicate.empty()) duplicate = key;
    }
    return !too_deep;
  };
  Json value = Json::parse(text.begin(), text.end(), watch, /*allow_exceptions=*/false);
  if (too_deep) return fail(Code::kInvalid, "JSON is nested too deeply");
  if (value.is_discarded()) return fail(Code::kInvalid, "not valid JSON");
  if (!duplicate.empty()) return fail(Code::kInvalid, "JSON has the member \"" + duplicate + "\" twice");
  return value;
}

std::string dump(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }
std::string dump_pretty(const Json& value) { return value.dump(2, ' ', false, Json::error_handler_t::replace); }

Fields::Fields(const Json& json, std::string_view what) : json_(json), what_(what) {
  if (json_.is_object())
    asked_.resize(json_.size());
  else
    reject("must be a JSON object");
}

const Json* Fields::find(const char* name) {
  const auto* members = json_.get_ptr<const Json::object_t*>();
  if (members == nullptr) return nullptr;
  const auto it = std::ranges::find_if(*members, [name](const auto& member) { return member.first == name; });
  if (it == members->end()) return nullptr;
  asked_[static_cast<std::size_t>(it - members->begin())] = true;
  return it->second.is_null() ? nullptr : &it->second;
}

bool Fields::has(const char* name) const { return json_.is_object() && json_.contains(name); }

void Fields::reject(std::string why) {
  if (!error_) error_ = Error(Code::kInvalid, what_ + ": " + std::move(why));
}

void Fields::mistyped(const char* name, std::string_view wanted) {
  reject("\"" + std::string(name) + "\" must be " + std::string(wanted));
}

std::string Fields::text(const char* name) {
  const Json* v = find(name);
  if (v == nullptr) {
    reject("\"" + std::string(name) + "\" is missing");
    return {};
  }
  return text(name, "");
}

std::string Fields::text(const char* name, std::string_view otherwise) {
  const Json* v = find(name);
  if (v == nullptr) return std::string(otherwise);
  if (!v->is_string()) {
    mistyped(name, "a string");
    return {};
  }
  auto value = v->get<std::string>();
  if (value.find('\0') != std::string::npos) mistyped(name, "a string without NUL");
  return value;
}

bool Fields::boolean(const char* name, bool otherwise) {
  const Json* v = find(name);
  if (v == nullptr) return otherwise;
  if (!v->is_boolean()) mistyped(name, "true or false");
  return v->is_boolean() && v->get<bool>();
}

std::int64_t Fields::integer(const char* name, std::int64_t otherwise) {
  const Json* v = find(name);
  if (v == nullptr) return otherwise;
  const bool fits = v->is_number_integer() && !(v->is_number_unsigned() && v->get<std::uint64_t>() > INT64_MAX);
  if (!fits) mistyped(name, "a whole number");
  return fits ? v->get<std::int64_t>() : otherwise;
}

double Fields::number(const char* name, double otherwise) {
  const Json* v = find(name);
  if (v == nullptr) return otherwise;
  if (!v->is_number() || !std::isfinite(v->get<double>())) {
    mistyped(name, "a number");
    return otherwise;
  }
  return v->get<double>();
}

std::vector<std::string> Fields::texts(const char* name) {
  std::vector<std::string> out;
  for (const Json* item : list(name)) {
    if (item->is_string() && item->get_ref<const std::string&>().find('\0') == std::string::npos)
      out.push_back(item->get<std::string>());
    else
      mistyped(name, "an array of strings");
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> Fields::pairs(const char* name) {
  std::vector<std::pair<std::string, std::string>> out;
  const Json* v = find(name);
  if (v == nullptr) return out;
  if (!v->is_object()) {
    mistyped(name, "an object of strings");
    return out;
  }
  for (const auto& [key, value] : v->items()) {
    const bool plain = value.is_string() && key.find('\0') == std::string::npos &&
                       value.get_ref<const std::string&>().find('\0') == std::string::npos;
    if (plain)
      out.emplace_back(key, value.get<std::string>());
    else
      mistyped(name, "an object of strings");
  }
  return out;
}

const Json* Fields::value(const char* name) { return find(name); }

std::vector<const Json*> Fields::list(const char* name) {
  std::vector<const Json*> out;
  const Json* v = find(name);
  if (v == nullptr) return out;
  if (!v->is_array()) {
    mistyped(name, "an array");
    return out;
  }
  for (const auto& item : *v) out.push_back(&item);
  return out;
}

Result<> Fields::finish(bool allow_unknown) {
  const auto unasked = std::ranges::find(asked_, false);
  if (unasked != asked_.end() && !allow_unknown) {
    const auto* members = json_.get_ptr<const Json::object_t*>();
    reject("unknown member \"" + (members->begin() + (unasked - asked_.begin()))->first + "\"");
  }
  if (error_) return fail(*error_);
  return Ok{};
}

}  // namespace sbx
