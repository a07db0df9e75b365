// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "policy/rules.h"

namespace sbx::policy {

inline constexpr std::size_t kLargestRulesFile = 1u << 20;

// proxy-config.json, of a sandbox or of new sandboxes:
//   {"policy":{"default":"allow","logBlocked":true,"logAllowed":true},
//    "network":{"allowedDomains":[],"rawDomains":[],"blockedDomains":[],"blockedCIDRs":[],"allowedCIDRs":[],
//               "bypassDomains":[],"bypassCIDRs":[]}}
// rawDomains and allowedCIDRs are ours and are written only when there are any, so that the file stays one that the
// vendor's program reads. Also read: "policy":"allow" in short, and blockCIDR for blockedCIDRs.
//
// `policy` must be there: a file that does not say what is allowed allows nothing. Without blockedCIDRs the default
// ranges are blocked. Whatever is not understood (an unknown key, a bad host) is an error that names it and `file`.
// What is there twice counts once.
Result<Rules> read_rules(std::string_view text, std::string_view file);
std::string write_rules(const Rules& rules);

// The same as a JSON value, for the API.
Result<Rules> decode_rules(const Json& json, std::string_view what);
Json encode(const Rules& rules);

}  // namespace sbx::policy
