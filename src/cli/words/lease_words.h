// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "wire/secret.h"

namespace sbx::cli {

// "1h": in seconds.
Result<std::int64_t> parse_ttl(const std::string& text);

// Of --ttl and --client-id. Without a client id it is this host's name.
Result<wire::LeaseRequest> lease_request_of(const std::string& ttl, const std::string& client_id);

}  // namespace sbx::cli
