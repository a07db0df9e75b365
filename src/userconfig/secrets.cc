// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "userconfig/secrets.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace sbx::userconfig {
namespace {

constexpr std::size_t kLongestWord = 24;    // of letters only
constexpr std::size_t kLongestNumber = 11;  // with a digit in it
constexpr std::size_t kShortestKey = 16;    // after its issuer's prefix

constexpr std::string_view kNames[] = {"key",  "token",  "secret", "passw",  "auth",
                                       "cred", "bearer", "cookie", "session"};
// How issuers begin their keys: Anthropic and OpenAI, GitHub, GitLab, Slack, AWS, Google, Hugging Face, npm, JWT.
constexpr std::string_view kPrefixes[] = {"sk-",    "ghp_",  "gho_",  "ghu_",  "ghs_", "github_pat_",
                                          "glpat-", "xoxb-", "xoxp-", "xapp-", "AKIA", "ASIA",
                                          "AIza",   "ya29.", "hf_",   "npm_",  "eyJ"};

bool is_digit(unsigned char c) { return std::isdigit(c) != 0; }
bool is_word_character(unsigned char c) { return std::isalnum(c) != 0; }
bool is_key_character(unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.'; }

bool is_long_word(std::string_view word) {
  return word.size() > (std::ranges::any_of(word, is_digit) ? kLongestNumber : kLongestWord);
}

bool has_long_word(std::string_view value) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= value.size(); ++i) {
    if (i < value.size() && is_word_character(static_cast<unsigned char>(value[i]))) continue;
    if (is_long_word(value.substr(begin, i - begin))) return true;
    begin = i + 1;
  }
  return false;
}

bool is_reference(std::string_view value) {
  if (value.starts_with("${") && value.ends_with('}'))
    value = value.substr(2, value.size() - 3);
  else if (value.starts_with('$'))
    value = value.substr(1);
  else
    return false;
  return !value.empty() && std::ranges::all_of(value, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

bool is_address_with_more(std::string_view value) {
  return value.find("://") != std::string_view::npos && value.find_first_of("@?#") != std::string_view::npos;
}

bool has_issued_key(std::string_view text, std::string_view prefix) {
  for (std::size_t at = text.find(prefix); at != std::string_view::npos; at = text.find(prefix, at + 1)) {
    if (at > 0 && is_key_character(static_cast<unsigned char>(text[at - 1]))) continue;
    const std::string_view rest = text.substr(at + prefix.size());
    const auto end = std::ranges::find_if_not(rest, is_key_character);
    if (static_cast<std::size_t>(end - rest.begin()) >= kShortestKey) return true;
  }
  return false;
}

}  // namespace

bool has_key(std::string_view document) {
  if (document.find("PRIVATE KEY-----") != std::string_view::npos) return true;
  return std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return has_issued_key(document, prefix); });
}

bool may_be_key(std::string_view value) {
  if (is_reference(value)) return false;
  return has_key(value) || has_long_word(value) || is_address_with_more(value);
}

bool names_key(std::string_view name) {
  std::string lower;
  for (const unsigned char c : name) lower += static_cast<char>(std::tolower(c));
  return std::ranges::any_of(kNames, [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

}  // namespace sbx::userconfig
