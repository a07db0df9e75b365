// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "wire/template.h"

// What the template commands show. Pure.
namespace sbx::cli {

// A line for each name, as docker's list of images has it. Digests are cut off unless `whole`.
std::string template_table(const std::vector<wire::TemplateDetails>& templates, WallTime now, bool whole);
// What {{.Field}} of template ls --format finds: one for each name.
std::vector<Json> template_rows(const std::vector<wire::TemplateDetails>& templates, WallTime now);

std::string history_table(const wire::TemplateHistory& history, WallTime now, bool whole);
std::vector<Json> history_rows(const wire::TemplateHistory& history, WallTime now);

// The first name, or the digest of one that has none.
std::string template_name(const wire::TemplateDetails& details);
std::string short_digest(const std::string& digest);  // twelve digits
std::string size_text(std::int64_t bytes);            // "77.8MB", as docker counts: 1 kB is 1000 bytes

}  // namespace sbx::cli
