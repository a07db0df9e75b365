// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/reference.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "images/image_config.h"

namespace sbx::images {
namespace {

constexpr std::string_view kHub = "docker.io";
constexpr std::string_view kOfficial = "library/";
constexpr std::string_view kDefaultTag = "latest";
constexpr std::size_t kLongestName = 255;
constexpr std::size_t kLongestTag = 128;

bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// "my-org": letters and digits, and between them ".", "_", "__" or any number of "-".
bool is_component(std::string_view text) {
  if (text.empty() || !is_lower_or_digit(text.front()) || !is_lower_or_digit(text.back())) return false;
  for (std::size_t i = 0; i < text.size();) {
    if (is_lower_or_digit(text[i])) {
      ++i;
      continue;
    }
    const std::size_t end = std::min(text.find_first_not_of("._-", i), text.size());
    const std::string_view between = text.substr(i, end - i);
    const bool dashes = between.find_first_not_of('-') == std::string_view::npos;
    if (between.empty() || (!dashes && between != "." && between != "_" && between != "__")) return false;
    i = end;
  }
  return true;
}

bool is_repository(const std::string& text) { return std::ranges::all_of(split(text, '/'), is_component); }

bool is_tag(std::string_view text) {
  return !text.empty() && text.size() <= kLongestTag && is_word(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_word(c) || c == '.' || c == '-'; });
}

// A first part that cannot be one of a repository at docker.io.
bool is_registry(std::string_view text) {
  return text == "localhost" || text.find_first_of(".:") != std::string_view::npos ||
         std::ranges::any_of(text, [](unsigned char c) { return std::isupper(c) != 0; });
}

bool is_host_and_port(std::string_view text) {
  if (text.empty() || text.starts_with('-') || text.ends_with(':')) return false;
  return std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view(".-:[]").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

Failure refused(std::string_view text, std::string_view why) {
  return fail(Code::kInvalid, "\"" + printable(text) + "\" is no name of an image: " + std::string(why));
}

}  // namespace

Result<Reference> parse_reference(std::string_view text) {
  Reference reference;
  std::string_view rest = text;
  if (const auto at = rest.find('@'); at != std::string_view::npos) {
    reference.digest = rest.substr(at + 1);
    if (!is_digest(reference.digest)) return refused(text, "after @ comes sha256: and 64 digits");
    rest = rest.substr(0, at);
  }
  const auto colon = rest.rfind(':');
  if (colon != std::string_view::npos && rest.find('/', colon) == std::string_view::npos) {
    reference.tag = rest.substr(colon + 1);
    if (!is_tag(reference.tag)) return refused(text, "a tag has letters, digits, '_', '.' and '-'");
    rest = rest.substr(0, colon);
  }
  if (const auto slash = rest.find('/'); slash != std::string_view::npos && is_registry(rest.substr(0, slash))) {
    reference.registry = rest.substr(0, slash);
    rest = rest.substr(slash + 1);
  } else {
    reference.registry = kHub;
  }
  reference.repository = rest;
  if (!is_host_and_port(reference.registry)) return refused(text, "the registry is no host");
  if (rest.empty() || rest.size() > kLongestName || !is_repository(reference.repository))
    return refused(text, "a repository has small letters, digits, and '.', '_', '-' or '/' between them");
  if (reference.registry == kHub && rest.find('/') == std::string_view::npos)
    reference.repository = std::string(kOfficial) + reference.repository;
  if (reference.tag.empty() && reference.digest.empty()) reference.tag = kDefaultTag;
  return reference;
}

std::string Reference::whole() const {
  return registry + "/" + repository + (tag.empty() ? "" : ":" + tag) + (digest.empty() ? "" : "@" + digest);
}

std::string Reference::shown() const {
  std::string text = whole();
  for (const std::string& implied : {std::string(kHub) + "/" + std::string(kOfficial), std::string(kHub) + "/"})
    if (text.starts_with(implied)) return text.substr(implied.size());
  return text;
}

}  // namespace sbx::images
