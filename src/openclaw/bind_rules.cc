// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "openclaw/bind_rules.h"

#include <string_view>

#include "base/format.h"
#include "base/text.h"
#include "openclaw/section.h"

namespace sbx::openclaw {
namespace {

constexpr std::string_view kSystem[] = {"/bin", "/boot", "/dev", "/etc", "/lib",  "/lib64",  "/proc",
                                        "/run", "/sbin", "/sys", "/usr", "/root", "/var/run"};
constexpr std::string_view kAlone[] = {"/", "/home", "/tmp", "/var", "/var/lib"};
// Beneath the user's home.
constexpr std::string_view kCredentials[] = {".ssh",
                                             ".aws",
                                             ".azure",
                                             ".gnupg",
                                             ".docker",
                                             ".kube",
                                             ".netrc",
                                             ".npmrc",
                                             ".config",
                                             ".sandboxd",
                                             ".git-credentials",
                                             ".openclaw/credentials",
                                             ".openclaw/openclaw.json"};

bool is_or_is_below(std::string_view path, std::string_view directory) {
  return path == directory || (path.starts_with(directory) && path.substr(directory.size()).starts_with('/'));
}

Failure refused(const std::string& path, std::string_view why) {
  return fail(Code::kForbidden, sbx::format("{} is not given to a session: {}", printable(path), why));
}

}  // namespace

Result<> check_bind_source(const std::string& path, const std::string& home) {
  for (const std::string_view place : kAlone)
    if (path == place) return refused(path, "it is a directory of the system's");
  if (path == home || is_or_is_below(home, path)) return refused(path, "your home is in it");
  for (const std::string_view place : kCredentials)
    if (is_or_is_below(path, home + "/" + std::string(place))) return refused(path, "credentials are in it");
  if (path == home + "/.openclaw") return refused(path, "credentials are in it");
  const bool is_own = is_or_is_below(path, home);  // root's, too
  for (const std::string_view place : kSystem)
    if (!is_own && is_or_is_below(path, place)) return refused(path, "it is a directory of the system's");
  if (path.ends_with("/docker.sock")) return refused(path, "with it, a session could do anything on this host");
  return Ok{};
}

Result<SharedPath> checked_bind(SharedPath bind, const std::string& home, const std::string& key) {
  if (bind.source.empty() || bind.target.empty()) return fail(Code::kInvalid, key + ": source or target is missing");
  TRY_ASSIGN(bind.source, expanded_path(bind.source, home, key + ".source"));
  TRY_ASSIGN(bind.target, expanded_path(bind.target, "~", key + ".target"));
  TRY_WITHIN(key, check_bind_source(bind.source, home));
  return bind;
}

Result<SharedPath> parse_bind(const std::string& text, const std::string& home, const std::string& key) {
  const auto parts = split(text, ':');
  const bool has_mode = parts.size() == 3;
  if ((parts.size() != 2 && !has_mode) || (has_mode && parts[2] != "ro" && parts[2] != "rw"))
    return fail(Code::kInvalid, key + ": " + printable(text) + " must be source:target, with :ro or :rw");
  return checked_bind({parts[0], parts[1], has_mode && parts[2] == "ro"}, home, key);
}

}  // namespace sbx::openclaw
