// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "policy/verdict.h"

// Whether a connection and what is said on it name the same host. Pure: no rule has a say in it. Nothing: they do;
// else the refusal.
namespace sbx::policy {

// Of TLS: as sent. An address may be asked for without one, a name may not.
std::optional<Verdict> refused_server_name(const Target& target, std::optional<std::string_view> server_name);

// Of a request: Host, :authority or that of an absolute URI, as sent. Without a port it is HTTP's, or HTTPS's.
std::optional<Verdict> refused_authority(const Target& target, bool encrypted, std::string_view authority);

}  // namespace sbx::policy
