// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/presets.h"

#include <algorithm>

#include "base/format.h"
#include "base/text.h"

namespace sbx::policy {
namespace {

// What all agents need; the hosts of each agent's own model are in src/agents and src/secrets, and added in
// src/sandboxes/agent_hosts.h. A host is here when an agent or a build cannot do without it and what it serves is
// chosen by its owner. Not here: buckets and pages of any customer's (*.amazonaws.com, *.googleapis.com, *.github.io),
// to which a guest could carry what it knows. No ports: a pattern with one would let other protocols than HTTP through.
constexpr std::string_view kAgentHosts[] = {
    // The agents' own services
    "api.anthropic.com",
    "statsig.anthropic.com",
    "statsig.com",
    "sentry.io",
    "platform.claude.com",
    "api.openai.com",
    // Code
    "github.com",
    "*.github.com",
    "*.githubusercontent.com",
    // JavaScript: npm, yarn, Node itself
    "*.npmjs.org",
    "*.yarnpkg.com",
    "nodejs.org",
    // Python
    "pypi.org",
    "files.pythonhosted.org",
    // Rust
    "crates.io",
    "index.crates.io",
    "static.crates.io",
    "static.rust-lang.org",
    // Go: the module mirror and its checksums
    "proxy.golang.org",
    "sum.golang.org",
    // Java: Maven and Gradle
    "repo.maven.apache.org",
    "repo1.maven.org",
    "plugins.gradle.org",
    "services.gradle.org",
    "downloads.gradle.org",
    // Ruby, PHP, .NET, Elixir
    "rubygems.org",
    "index.rubygems.org",
    "packagist.org",
    "repo.packagist.org",
    "api.nuget.org",
    "repo.hex.pm",
    // System packages
    "deb.debian.org",
    "security.debian.org",
    "archive.ubuntu.com",
    "security.ubuntu.com",
    "ports.ubuntu.com",
    "dl-cdn.alpinelinux.org",
    // Container images, for the guest's own engine
    "registry-1.docker.io",
    "auth.docker.io",
    "production.cloudflare.docker.com",
    "ghcr.io",
};

constexpr Preset kPresets[] = {{"agent", kAgentHosts}};

}  // namespace

std::span<const Preset> presets() { return kPresets; }

Result<const Preset*> find_preset(std::string_view name) {
  const auto found = std::ranges::find(kPresets, name, &Preset::name);
  if (found != std::end(kPresets)) return &*found;
  return fail(Code::kNotFound, sbx::format("no preset \"{}\": there is agent", printable(name)));
}

}  // namespace sbx::policy
