// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/variables.h"

#include <cstdlib>

#include "base/text.h"

namespace sbx::api {
namespace {

bool is_variable(std::string_view segment) { return segment.starts_with('{') && segment.ends_with('}'); }

}  // namespace

std::optional<Variables> Variables::match(std::string_view pattern, const std::vector<std::string>& segments) {
  const auto wanted = split(pattern.substr(1), '/');
  if (wanted.size() != segments.size()) return std::nullopt;
  Variables variables;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (is_variable(wanted[i]) && !segments[i].empty())
      variables.values_.emplace_back(wanted[i].substr(1, wanted[i].size() - 2), segments[i]);
    else if (wanted[i] != segments[i])
      return std::nullopt;
  }
  return variables;
}

const std::string& Variables::operator[](std::string_view variable) const {
  for (const auto& [name, value] : values_)
    if (name == variable) return value;
  std::abort();
}

}  // namespace sbx::api
