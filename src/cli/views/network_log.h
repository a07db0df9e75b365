// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "wire/network_log.h"

// What `network log` shows of the daemon's answer. Pure, but for the time zone.
namespace sbx::cli {

// "Blocked requests:" and "Allowed requests:", each with SANDBOX HOST RULE LAST SEEN COUNT. What differs only in its
// way through the proxy is one line. `blocked_only` leaves the second one out. Then network_log_losses().
// Of each table the first `limit` lines; 0: all.
std::string network_log_tables(const wire::NetworkLog& log, bool blocked_only, std::size_t limit = 0);
// The rows of both tables, the blocked ones first, without titles and headers.
std::string network_log_rows(const wire::NetworkLog& log, std::size_t limit = 0);
// The hosts alone, each once, a line each; hosts that the log no longer knows by name are left out.
std::string network_log_hosts(const wire::NetworkLog& log, std::size_t limit = 0);
// A line for each sandbox whose log misses decisions that could not be written. Mostly empty.
std::string network_log_losses(const wire::NetworkLog& log);
// One decision, as --follow prints it.
std::string network_log_line(const wire::LoggedDecision& decision);

}  // namespace sbx::cli
