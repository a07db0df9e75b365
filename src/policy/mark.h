// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sbx::policy {

// What a rule says about what it matches.
enum class Mark { kBlock, kAllow };

}  // namespace sbx::policy
