// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wire/exec.h"

namespace sbx::builds {

// Where the packages of our own recipes come from: the host's own mirrors and registry.
struct PackageSources {
  std::vector<std::string> hosts;  // what a build has to reach
  wire::Environment environment;   // what tells its programs where that is
};
PackageSources package_sources();

// The value of "registry=" in the text of an .npmrc; empty: it has none.
std::string registry_in(std::string_view npmrc);
// The same address without "user:password@".
std::string without_user(const std::string& address);
// "https://user@mirror:8080/x" is mirror; empty: it is no address.
std::string host_in(std::string_view address);

}  // namespace sbx::builds
