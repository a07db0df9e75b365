// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/flavor_note.h"

#include "base/format.h"
#include "base/text.h"

namespace sbx::sandboxes {
namespace {

constexpr std::string_view kFlavor = "com.docker.sandboxes.flavor";
constexpr std::string_view kWithDocker = "-docker";

std::string flavor_of(const images::Template& base) {
  for (const auto& [key, value] : base.config.labels)
    if (key == kFlavor) return value;
  return {};
}

// The vendor's images have names of their own: claude-code, codex-docker.
std::string agent_of(std::string flavor) {
  if (flavor.ends_with(kWithDocker)) flavor.erase(flavor.size() - kWithDocker.size());
  return flavor == "claude-code" ? "claude" : flavor;
}

}  // namespace

std::string flavor_note(const images::Template& base, const std::string& agent, const agents::Catalogue& agents) {
  const agents::Agent* made_for = agents.find(agent_of(flavor_of(base)));
  if (made_for == nullptr || made_for->name == agent || agent == "shell") return {};
  return sbx::format("Template {} is made for the agent {}, and this sandbox is for {}, which may not be in it.",
                     printable(base.name), made_for->name, agent);
}

}  // namespace sbx::sandboxes
