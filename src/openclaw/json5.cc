// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "openclaw/json5.h"

#include <set>
#include <string>

#include "base/format.h"
#include "base/json.h"
#include "openclaw/json5_number.h"
#include "openclaw/json5_text.h"

namespace sbx::openclaw {
namespace {

// From the top, a function for each thing of the grammar; each begins at the first character of its thing.
class Json5Reader {
 public:
  explicit Json5Reader(std::string_view text) : text_(text) {}

  Result<Json> document() {
    TRY(text_.skip_blank());
    TRY_ASSIGN(Json value, this->value(0));
    TRY(text_.skip_blank());
    if (!text_.at_end()) return text_.error("there is more after the end of the value");
    return value;
  }

 private:
  Result<Json> value(std::size_t depth) {
    if (depth > kDeepestJson5) return text_.error(sbx::format("more than {} levels deep", kDeepestJson5));
    switch (text_.peek()) {
      case '{':
        return object(depth);
      case '[':
        return array(depth);
      case '"':
      case '\'':
        return string_value();
      default:
        return is_number_start(text_.peek()) ? number() : word();
    }
  }

  Result<Json> object(std::size_t depth) {
    Json object = Json::object();
    std::set<std::string> keys;
    text_.take();
    for (;;) {
      TRY(text_.skip_blank());
      if (text_.take_if('}')) return object;
      const Position at = text_.position();
      TRY_ASSIGN(const std::string key, this->key());
      if (!keys.insert(key).second) return text_.error_at(at, "the key " + key + " comes twice");
      if (keys.size() > kMostMembers) return text_.error_at(at, "more keys in one object than are read");
      TRY(text_.skip_blank());
      if (!text_.take_if(':')) return text_.error("a colon is missing after the key " + key);
      TRY(text_.skip_blank());
      TRY_ASSIGN(object[key], value(depth + 1));
      TRY(text_.skip_blank());
      if (text_.take_if(',')) continue;
      if (!text_.take_if('}')) return text_.error("a comma or } is missing");
      return object;
    }
  }

  Result<Json> array(std::size_t depth) {
    Json array = Json::array();
    text_.take();
    for (;;) {
      TRY(text_.skip_blank());
      if (text_.take_if(']')) return array;
      TRY_ASSIGN(Json item, value(depth + 1));
      array.push_back(std::move(item));
      TRY(text_.skip_blank());
      if (text_.take_if(',')) continue;
      if (!text_.take_if(']')) return text_.error("a comma or ] is missing");
      return array;
    }
  }

  Result<std::string> key() {
    if (text_.peek() == '"' || text_.peek() == '\'') return text_.quoted();
    return text_.identifier();
  }

  Result<Json> string_value() {
    TRY_ASSIGN(std::string content, text_.quoted());
    return Json(std::move(content));
  }

  Result<Json> number() {
    const Position at = text_.position();
    auto value = json5_number(text_.take_number());
    if (!value) return text_.error_at(at, value.error().what());
    return value;
  }

  Result<Json> word() {
    const Position at = text_.position();
    if (text_.at_end()) return text_.error("a value is missing");
    const auto name = text_.identifier();
    if (name && *name == "true") return Json(true);
    if (name && *name == "false") return Json(false);
    if (name && *name == "null") return Json(nullptr);
    if (name && (*name == "Infinity" || *name == "NaN")) return text_.error_at(at, *name + " is of no use here");
    return text_.error_at(at, name ? "text has to be in quotes: " + *name : "a value is missing");
  }

  Json5Text text_;
};

}  // namespace

Result<Json> parse_json5(std::string_view text) {
  if (text.size() > kLargestJson5)
    return fail(Code::kTooLarge, sbx::format("larger than {} bytes, which is all that is read", kLargestJson5));
  return Json5Reader(text).document();
}

}  // namespace sbx::openclaw
