// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"

namespace sbx::policy {

// Rules under one name: policy deny, and these hosts allowed. docs/network-policy.md says what is in it and why.
struct Preset {
  std::string_view name;
  std::span<const std::string_view> hosts;  // patterns
};

std::span<const Preset> presets();
Result<const Preset*> find_preset(std::string_view name);

}  // namespace sbx::policy
