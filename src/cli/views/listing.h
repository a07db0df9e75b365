// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "wire/sandbox.h"

// What ls and inspect show of a sandbox. Pure.
namespace sbx::cli {

// Bytes on the disk, by name; empty: not asked for.
using Sizes = std::map<std::string, std::int64_t>;

std::string listing_table(const std::vector<wire::SandboxInfo>& sandboxes, const Sizes& sizes = {});
// {"vms":[...]}: the vendor's members, then ours. A sandbox that does not run has no socket_path.
Json listing_json(const std::vector<wire::SandboxInfo>& sandboxes, const Sizes& sizes = {});
// What {{.Field}} of ls --format finds: the members of listing_json, every one always there, and `workspace`.
Json listing_fields(const wire::SandboxInfo& sandbox, const Sizes& sizes = {});

// One element of inspect's array. `inode`: of the primary workspace; 0 if it has none. `policy`: policy_summary(), or
// what is wrong with it.
Json inspection(const wire::SandboxInfo& sandbox, std::uint64_t inode, Json policy, std::int64_t size);

}  // namespace sbx::cli
