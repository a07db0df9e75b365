// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/child.h"
#include "images/apt_options.h"
#include "images/apt_sources.h"
#include "images/recipe.h"

// mmdebstrap: how it is called to print a template as a tar archive.
namespace sbx::images {

// The files that it reads, in its working directory.
inline constexpr const char* kBuildSources = "build.sources";
inline constexpr const char* kGuestSources = "guest.sources";
inline constexpr const char* kGuestOptions = "guest.conf";

struct BuildHost {
  Distribution distribution;
  std::vector<AptSource> sources;
  AptOptions options;
};

// Reads the host's own apt configuration.
Result<BuildHost> read_host();

// Puts those files into `directory`.
Result<> write_inputs(const BuildHost& host, const std::string& directory);

// To be started as the guest's root. The archive comes on standard output, the log on standard error. It and all that
// it starts end with the calling thread: they are in a pid namespace whose first process is killed with it.
Command bootstrap_command(const Recipe& recipe, const BuildHost& host, const std::string& directory);

// kUnavailable, with the package to install, unless every program that a build needs is there.
Result<> check_programs();

}  // namespace sbx::images
