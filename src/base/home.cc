// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/home.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "base/file.h"
#include "base/text.h"

namespace sbx {
namespace {

// Not getpwuid: it would load name service modules, and the client is a static program.
Result<std::string> home_in_passwd() {
  std::ifstream passwd("/etc/passwd");
  const std::string uid = std::to_string(::getuid());
  for (std::string line; std::getline(passwd, line);) {
    const auto fields = split(line, ':');
    if (fields.size() >= 7 && fields[2] == uid && !fields[5].empty()) return fields[5];
  }
  return fail(Code::kUnavailable, "cannot find the home directory", "export HOME=/your/home");
}

}  // namespace

Result<std::string> user_home() {
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') return std::string(home);
  return home_in_passwd();
}

Result<Home> Home::find() {
  if (const char* chosen = std::getenv("SANDBOXES_HOME"); chosen != nullptr && *chosen != 0) {
    if (*chosen != '/') return fail(Code::kInvalid, "SANDBOXES_HOME must be an absolute path");
    return Home(chosen);
  }
  TRY_ASSIGN(const std::string home, user_home());
  return Home(home + "/.docker/sandboxes");
}

Result<std::string> own_program(const std::string& name) {
  TRY_ASSIGN(const std::string self, canonical_path("/proc/self/exe"));
  const std::string directory = self.substr(0, self.find_last_of('/'));
  for (const std::string& candidate : {directory + "/" + name, directory + "/../libexec/sandboxd/" + name})
    if (::access(candidate.c_str(), X_OK) == 0) return canonical_path(candidate);
  return fail(Code::kUnavailable, name + " is not installed beside " + self, "cmake --install build/release");
}

}  // namespace sbx
