// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/backend.h"
#include "config/config.h"

namespace sbx::sandboxes {

// The part of the user's configuration that backends see.
inline backends::Settings settings_from(const config::Config& config) { return {config.kernel, config.modules}; }

}  // namespace sbx::sandboxes
