// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/git_identity.h"

#include <string>

#include "base/child.h"
#include "base/text.h"

namespace sbx::sandboxes {
namespace {

constexpr std::chrono::seconds kGitLimit{2};

}  // namespace

wire::GitIdentity git_identity() {
  Command command;
  command.argv = {"git", "config", "--global", "--includes", "--null", "--get-regexp", "^user\\.(name|email)$"};
  command.directory = "/";
  const auto said = run(command, kGitLimit);
  wire::GitIdentity identity;
  if (!said) return identity;
  // "user.name", a newline, the value and a NUL, for each.
  for (const std::string& entry : split(said->out, '\0')) {
    const std::size_t newline = entry.find('\n');
    if (newline == std::string::npos) continue;
    const std::string value = entry.substr(newline + 1);
    (entry.starts_with("user.name") ? identity.name : identity.email) = value;
  }
  return identity;
}

}  // namespace sbx::sandboxes
