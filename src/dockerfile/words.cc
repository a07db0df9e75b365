// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "dockerfile/words.h"

#include <cctype>
#include <optional>

#include "base/text.h"

namespace sbx::dockerfile {
namespace {

constexpr int kDeepest = 32;                       // ${A:-${B:-...}}
constexpr std::size_t kMostExpanded = 256u << 10;  // bytes: variables of variables grow without end

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n'; }
bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Reads one word after the other.
class Words {
 public:
  Words(std::string_view text, const Scope& scope, char escape) : rest_(text), scope_(scope), escape_(escape) {}

  bool at_end() {
    while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
    return rest_.empty();
  }

  // Up to white space or, for the whole text as one, to its end.
  Result<std::string> next(bool whole) {
    std::string word;
    while (!rest_.empty() && (whole || !is_space(rest_.front()))) {
      const char c = take();
      if (c == '\'') {
        TRY(single_quoted(word));
      } else if (c == '"') {
        TRY(double_quoted(word));
      } else if (c == escape_ && !rest_.empty()) {
        word += take();
      } else if (c == '$') {
        TRY(variable(word));
      } else {
        word += c;
      }
    }
    return word;
  }

  std::string_view rest() const { return rest_; }

 private:
  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  Result<> single_quoted(std::string& word) {
    const auto end = rest_.find('\'');
    if (end == std::string_view::npos) return fail(Code::kInvalid, "a ' is not closed");
    word += rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return Ok{};
  }

  Result<> double_quoted(std::string& word) {
    while (!rest_.empty() && rest_.front() != '"') {
      const char c = take();
      if (c == escape_ && !rest_.empty() && std::string_view("\"$").find(rest_.front()) != std::string_view::npos)
        word += take();
      else if (c == escape_ && !rest_.empty() && rest_.front() == escape_)
        word += take();
      else if (c == '$')
        TRY(variable(word));
      else
        word += c;
    }
    if (rest_.empty()) return fail(Code::kInvalid, "a \" is not closed");
    take();
    return Ok{};
  }

  std::string name() {
    std::string found;
    while (!rest_.empty() && is_of_name(rest_.front())) found += take();
    return found;
  }

  Result<> variable(std::string& word) {
    if (rest_.starts_with('{')) {
      take();
      if (++depth_ > kDeepest) return fail(Code::kInvalid, "${ is nested too deeply");
      TRY(braced(word));
      --depth_;
    } else {
      const std::string called = name();
      word += called.empty() ? "$" : value_of(called).value_or("");
    }
    if (word.size() > kMostExpanded) return fail(Code::kTooLarge, "with its variables it is larger than 256 KiB");
    return Ok{};
  }

  Result<> braced(std::string& word) {
    const std::string called = name();
    if (called.empty()) return fail(Code::kInvalid, "${ is not followed by the name of a variable");
    const auto value = value_of(called);
    if (rest_.starts_with('}')) {
      take();
      word += value.value_or("");
      return Ok{};
    }
    const bool or_empty = rest_.starts_with(':');  // an empty one counts as not set
    if (or_empty) take();
    const char kind = rest_.empty() ? '\0' : take();
    if (kind != '-' && kind != '+') return fail(Code::kInvalid, "${" + called + "...: only :-, :+, - and + are known");
    TRY_ASSIGN(const std::string other, up_to_brace());
    const bool is_set = value && !(or_empty && value->empty());
    word += kind == '-' ? (is_set ? *value : other) : (is_set ? other : "");
    return Ok{};
  }

  Result<std::string> up_to_brace() {
    std::string word;
    while (!rest_.empty() && rest_.front() != '}') {
      const char c = take();
      if (c == '$')
        TRY(variable(word));
      else if (c == escape_ && !rest_.empty())
        word += take();
      else
        word += c;
    }
    if (rest_.empty()) return fail(Code::kInvalid, "a ${ is not closed");
    take();
    return word;
  }

  std::optional<std::string> value_of(const std::string& called) const {
    const auto found = scope_.find(called);
    return found == scope_.end() ? std::nullopt : std::optional(found->second);
  }

  std::string_view rest_;
  const Scope& scope_;
  char escape_;
  int depth_ = 0;
};

}  // namespace

Result<std::string> expand(std::string_view text, const Scope& scope, char escape) {
  return Words(text, scope, escape).next(true);
}

Result<std::vector<std::string>> expand_words(std::string_view text, const Scope& scope, char escape) {
  std::vector<std::string> words;
  for (Words reader(text, scope, escape); !reader.at_end();) {
    TRY_ASSIGN(std::string word, reader.next(false));
    words.push_back(std::move(word));
  }
  return words;
}

Result<std::vector<std::pair<std::string, std::string>>> expand_pairs(std::string_view text, const Scope& scope,
                                                                      char escape) {
  std::vector<std::pair<std::string, std::string>> pairs;
  const std::string_view first = text.substr(0, text.find_first_of(" \t\n"));
  if (first.find('=') == std::string_view::npos) {
    TRY_ASSIGN(std::string value, expand(trimmed(text.substr(first.size())), scope, escape));
    if (first.empty()) return fail(Code::kInvalid, "a name is missing");
    pairs.emplace_back(first, std::move(value));
    return pairs;
  }
  TRY_ASSIGN(const auto words, expand_words(text, scope, escape));
  for (const std::string& word : words) {
    const auto equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
      return fail(Code::kInvalid, "\"" + printable(word) + "\" is not NAME=VALUE");
    pairs.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return pairs;
}

}  // namespace sbx::dockerfile
