// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/json_fwd.h"
#include "base/result.h"

// Every key that is known beneath `sandbox`: those of the simple dialect (baseImage, resources, network, mounts,
// tmpDir, tools) and OpenClaw's own.
namespace sbx::openclaw {

std::span<const std::string_view> sandbox_keys();
std::span<const std::string_view> docker_keys();
std::span<const std::string_view> tools_keys();  // sandbox.tools and tools.sandbox.tools
std::span<const std::string_view> resources_keys();
std::span<const std::string_view> network_keys();
std::span<const std::string_view> mount_keys();
std::span<const std::string_view> tmp_dir_keys();
std::span<const std::string_view> prune_keys();

// A key that is one or two characters away from `key`, beside it or in its place, is an error: without it, a misspelt
// "sandbox" would be a configuration without one. So is $include, which is not read.
Result<> check_not_misspelt(const Json& object, const std::string& path, std::string_view key);

}  // namespace sbx::openclaw
