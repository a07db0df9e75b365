// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/choice.h"
#include "base/json_fwd.h"
#include "base/result.h"

namespace sbx::openclaw {

// An object of the configuration, read key by key. Every key in it has to be in its table: a rule that is not read must
// not be taken for one that holds. Errors say where it is, and the key that was probably meant:
//   agents.defaults.sandbox.netwrok: there is no such key   try: network
class Section {
 public:
  // No object, `json` being null: a section without any key. `json` must outlive it.
  static Result<Section> open(const Json* json, std::string path, std::span<const std::string_view> keys);

  const Json* find(const char* key) const;  // null: it is not there
  std::string path_of(const char* key) const { return path_ + "." + key; }

  // Keep what `into` has when the key is not there; a value of another type is an error.
  Result<> text(const char* key, std::string& into) const;
  Result<> boolean(const char* key, bool& into) const;
  Result<> number(const char* key, double& into) const;      // or a text with one; not negative
  Result<> size(const char* key, std::int64_t& into) const;  // "512m", or bytes
  Result<> texts(const char* key, std::optional<std::vector<std::string>>& into) const;
  Result<> map(const char* key, std::vector<std::pair<std::string, std::string>>& into) const;  // of text

  template <Chosen E>
  Result<> word(const char* key, E& into) const {
    std::string given;
    TRY(text(key, given));
    if (find(key) == nullptr) return Ok{};
    std::vector<std::string_view> words;
    for (const auto& choice : choices(E{})) words.push_back(choice.word);
    const auto chosen = from_word<E>(given);
    if (!chosen) return no_choice(key, given, words);
    into = *chosen;
    return Ok{};
  }

  Failure mistyped(const char* key, std::string_view wanted) const;

 private:
  Section(const Json* json, std::string path) : json_(json), path_(std::move(path)) {}
  Failure no_choice(const char* key, const std::string& given, const std::vector<std::string_view>& words) const;

  const Json* json_;
  std::string path_;
};

// "~" and "~/x" are the home's; the rest has to be absolute, and is made so without "." and "..".
Result<std::string> expanded_path(const std::string& text, const std::string& home, const std::string& key);

}  // namespace sbx::openclaw
