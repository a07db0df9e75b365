// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "store/name.h"

#include <algorithm>

#include "base/text.h"

namespace sbx::store {
namespace {

bool is_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

bool is_allowed(char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.' || c == '+'; }

// What is wrong with it; empty: nothing.
std::string_view fault_of(std::string_view name, std::size_t shortest) {
  if (name.size() > kLongestName) return "it is longer than 63 characters";
  if (name.size() < shortest) return shortest > 1 ? "it is shorter than 2 characters" : "it is empty";
  if (!std::ranges::all_of(name, is_allowed)) return "only letters, digits and - _ . + are allowed";
  if (!is_alphanumeric(name.front())) return "it must begin with a letter or a digit";
  if (name.find("..") != std::string_view::npos) return "it must not contain \"..\"";
  return {};
}

// A name of 200 characters is not repeated in full.
std::string shown(std::string_view name) {
  return printable(name.size() > kLongestName ? std::string(name.substr(0, 40)) + "..." : std::string(name));
}

Result<> check(std::string_view what, std::string_view name, std::size_t shortest) {
  const std::string_view fault = fault_of(name, shortest);
  if (fault.empty()) return Ok{};
  return fail(Code::kInvalid, std::string(what) + " \"" + shown(name) + "\": " + std::string(fault));
}

}  // namespace

Result<> check_name(std::string_view name) { return check("sandbox name", name, kShortestName); }
Result<> check_agent_name(std::string_view name) { return check("agent name", name, 1); }

std::string name_from(std::string_view text, std::size_t longest) {
  std::string name;
  for (const char c : text.substr(0, longest)) {
    const char kept = is_allowed(c) ? c : '-';
    const bool repeats = !name.empty() && name.back() == kept && (kept == '.' || kept == '-');
    if ((name.empty() && !is_alphanumeric(kept)) || repeats) continue;
    name += kept;
  }
  while (!name.empty() && !is_alphanumeric(name.back())) name.pop_back();
  return name;
}

}  // namespace sbx::store
