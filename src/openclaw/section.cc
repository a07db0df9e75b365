// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "openclaw/section.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/format.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/text.h"

namespace sbx::openclaw {

Result<Section> Section::open(const Json* json, std::string path, std::span<const std::string_view> keys) {
  if (json == nullptr) return Section(nullptr, std::move(path));
  if (!json->is_object()) return fail(Code::kInvalid, path + ": must be an object, { ... }");
  for (const auto& [key, value] : json->items()) {
    if (std::ranges::find(keys, key) != keys.end()) continue;
    const std::string_view meant = nearest_word(key, keys);
    return fail(Code::kInvalid, sbx::format("{}.{}: there is no such key", path, printable(key)),
                meant.empty() ? sbx::format("{} has {}", path,
                                            join(std::vector<std::string_view>(keys.begin(), keys.end()), ", "))
                              : std::string(meant));
  }
  return Section(json, std::move(path));
}

const Json* Section::find(const char* key) const {
  if (json_ == nullptr) return nullptr;
  const auto found = json_->find(key);
  return found == json_->end() ? nullptr : &*found;
}

Failure Section::mistyped(const char* key, std::string_view wanted) const {
  return fail(Code::kInvalid, sbx::format("{}: must be {}", path_of(key), wanted));
}

Failure Section::no_choice(const char* key, const std::string& given,
                           const std::vector<std::string_view>& words) const {
  const std::string_view meant = nearest_word(given, words);
  return fail(Code::kInvalid, sbx::format("{}: {} is none of {}", path_of(key), printable(given), join(words, ", ")),
              std::string(meant));
}

Result<> Section::text(const char* key, std::string& into) const {
  const Json* value = find(key);
  if (value == nullptr) return Ok{};
  if (!value->is_string()) return mistyped(key, "a text in quotes");
  into = value->get<std::string>();
  return Ok{};
}

Result<> Section::boolean(const char* key, bool& into) const {
  const Json* value = find(key);
  if (value == nullptr) return Ok{};
  if (!value->is_boolean()) return mistyped(key, "true or false");
  into = value->get<bool>();
  return Ok{};
}

Result<> Section::number(const char* key, double& into) const {
  const Json* value = find(key);
  if (value == nullptr) return Ok{};
  double number = -1;
  if (value->is_number()) number = value->get<double>();
  if (value->is_string()) {
    const auto text = value->get<std::string>();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) number = -1;
  }
  if (!std::isfinite(number) || number < 0) return mistyped(key, "a number, 0 or more");
  into = number;
  return Ok{};
}

Result<> Section::size(const char* key, std::int64_t& into) const {
  const Json* value = find(key);
  if (value == nullptr) return Ok{};
  std::optional<std::int64_t> size;
  if (value->is_string()) size = parse_bytes(value->get<std::string>());
  if (value->is_number_integer()) size = value->get<std::int64_t>();
  if (!size || *size <= 0) return mistyped(key, "a size such as \"512m\" or \"2g\"");
  into = *size;
  return Ok{};
}

Result<> Section::texts(const char* key, std::optional<std::vector<std::string>>& into) const {
  const Json* value = find(key);
  if (value == nullptr) return Ok{};
  if (!value->is_array()) return mistyped(key, "a list of texts, [\"...\"]");
  std::vector<std::string> texts;
  for (const Json& item : *value) {
    if (!item.is_string()) return mistyped(key, "a list of texts, [\"...\"]");
    texts.push_back(item.get<std::string>());
  }
  into = std::move(texts);
  return Ok{};
}

Result<> Section::map(const char* key, std::vector<std::pair<std::string, std::string>>& into) const {
  const Json* value = find(key);
  if (value == nullptr) return Ok{};
  if (!value->is_object()) return mistyped(key, "an object of texts");
  for (const auto& [name, item] : value->items()) {
    if (!item.is_string()) return mistyped(key, "an object of texts");
    into.emplace_back(name, item.get<std::string>());
  }
  return Ok{};
}

Result<std::string> expanded_path(const std::string& text, const std::string& home, const std::string& key) {
  std::string path = text;
  if (path == "~" || path.starts_with("~/")) path = home + path.substr(1);
  if (!path.starts_with('/')) return fail(Code::kInvalid, key + ": " + printable(text) + " is not an absolute path");
  path = std::filesystem::path(path).lexically_normal().string();
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

}  // namespace sbx::openclaw
