// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "archive/name.h"

#include "archive/member.h"
#include "base/text.h"

namespace sbx::archive {
namespace {

constexpr std::size_t kLongestComponent = 255;

Failure refused(std::string_view name, const char* why) {
  return fail(Code::kForbidden, "the archive has the name \"" + printable(name.substr(0, 200)) + "\": " + why);
}

}  // namespace

Result<std::vector<std::string>> components_of(std::string_view name) {
  if (name.empty()) return refused(name, "it is empty");
  if (name.size() > kLongestName) return refused(name, "it is too long");
  if (name.front() == '/') return refused(name, "it is absolute");
  if (name.find('\0') != std::string_view::npos) return refused(name, "it has a NUL byte");
  std::vector<std::string> components;
  for (auto& part : split(name, '/')) {
    if (part == "..") return refused(name, "it leads out of the destination");
    if (part.size() > kLongestComponent) return refused(name, "a component is too long");
    if (!part.empty() && part != ".") components.push_back(std::move(part));
  }
  return components;
}

}  // namespace sbx::archive
