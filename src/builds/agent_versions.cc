// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "builds/agent_versions.h"

#include <algorithm>

#include "agents/recipe.h"
#include "base/file.h"
#include "base/text.h"

namespace sbx::builds {
namespace {

constexpr std::size_t kLongestVersion = 128;

// Digits without leading zeros: the longer is the larger.
std::string_view number_in(std::string_view text) {
  text = text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size()));
  return text.substr(std::min(text.find_first_not_of('0'), text.size()));
}

int compared(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

}  // namespace

bool is_later(std::string_view a, std::string_view b) {
  const auto mine = split(a.substr(0, a.find('-')), '.');
  const auto others = split(b.substr(0, b.find('-')), '.');
  for (std::size_t i = 0; i < std::max(mine.size(), others.size()); ++i) {
    const int order =
        compared(i < mine.size() ? number_in(mine[i]) : "", i < others.size() ? number_in(others[i]) : "");
    if (order != 0) return order > 0;
  }
  const bool mine_is_early = a.find('-') != std::string_view::npos;
  const bool others_is_early = b.find('-') != std::string_view::npos;
  return mine_is_early == others_is_early ? a > b : others_is_early;
}

std::string AgentVersions::version_of(const agents::Agent& agent) const {
  const auto text = read_file(directory_ + "/" + agent.name, kLongestVersion);
  const std::string chosen = text ? std::string(trimmed(*text)) : "";
  return agents::is_version(chosen) && is_later(chosen, agent.version) ? chosen : agent.version;
}

Result<> AgentVersions::choose(const agents::Agent& agent, const std::string& version) const {
  TRY(make_directories(directory_));
  return write_file_atomically(directory_ + "/" + agent.name, version + "\n", 0600);
}

}  // namespace sbx::builds
