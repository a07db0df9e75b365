// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace sbx {
namespace {

constexpr std::size_t kDeepestJson = 64;
constexpr std::size_t kMostMembers = 4096;

// Puts the value together in the order in which it is read. The library's own parsers are quadratic: they look through
// all members of an object for each one that they add, and the one with a callback also through all of an array for
// each object that ends in it.
class Builder : public Json::json_sax_t {
 public:
  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(Json::number_integer_t value) override { return add(value); }
  bool number_unsigned(Json::number_unsigned_t value) override { return add(value); }
  bool number_float(Json::number_float_t value, const std::string&) override { return add(value); }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(Json::binary_t&) override { return false; }  // there is none in text

  bool start_object(std::size_t) override { return open(Json::object()); }
  bool key(std::string& name) override {
    Level& level = levels_.back();
    if (level.names.size() == kMostMembers)
      return refuse("JSON has an object of more than " + std::to_string(kMostMembers) + " members");
    if (!level.names.insert(name).second) return refuse("JSON has the member \"" + name + "\" twice");
    level.name = std::move(name);
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t, const std::string&, const Json::exception&) override {
    return refuse("not valid JSON");
  }

  Result<Json> take() && {
    if (!fault_.empty()) return fail(Code::kInvalid, std::move(fault_));
    return std::move(value_);
  }

 private:
  // An array or object that has not ended yet.
  struct Level {
    Json value;
    std::set<std::string> names;  // of the members so far
    std::string name;             // of the member that comes next
  };

  bool refuse(std::string fault) {
    if (fault_.empty()) fault_ = std::move(fault);
    return false;
  }

  bool open(Json value) {
    if (levels_.size() == kDeepestJson) return refuse("JSON is nested too deeply");
    levels_.push_back({std::move(value), {}, {}});
    return true;
  }

  bool close() {
    Json value = std::move(levels_.back().value);
    levels_.pop_back();
    return add(std::move(value));
  }

  bool add(Json value) {
    if (levels_.empty()) {
      value_ = std::move(value);
      return true;
    }
    Level& level = levels_.back();
    if (auto* members = level.value.get_ptr<Json::object_t*>())
      members->emplace_back(std::move(level.name), std::move(value));  // known to be new
    else
      level.value.push_back(std::move(value));
    return true;
  }

  std::vector<Level> levels_;
  Json value_;
  std::string fault_;
};

}  // namespace

Result<Json> parse_json(std::string_view text) {
  Builder builder;
  (void)Json::sax_parse(text.begin(), text.end(), &builder);  // what went wrong, the builder knows
  return std::move(builder).take();
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
