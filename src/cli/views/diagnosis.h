// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backends/backend.h"
#include "base/fd.h"
#include "base/home.h"
#include "base/json.h"
#include "config/config.h"

namespace sbx::cli {

// The checks that are about us and not about a backend: the state directory, its disk, the daemon.
std::vector<backends::Check> own_checks(const Home& home);
// The configuration file: whether it can be read and means something here.
backends::Check configuration_check(const Result<config::Config>& config);
// Those of every backend with these settings, once each. If any backend works, what the others lack is skipped and not
// failed, unless it is the one that the user has chosen.
std::vector<backends::Check> backend_checks(const Home& home, const backends::Settings& settings,
                                            const std::string& chosen = "");

bool any_failed(const std::vector<backends::Check>& checks);
Json diagnosis_json(const std::vector<backends::Check>& checks);
// A line for each check with a mark, and its hint below it. `out` says whether there is colour.
std::string diagnosis_text(const std::vector<backends::Check>& checks, const Fd& out);

}  // namespace sbx::cli
