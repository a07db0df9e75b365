// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/result.h"
#include "netlog/losses.h"
#include "netlog/sqlite.h"
#include "netlog/sums.h"

// The tables of network.db. "application_id" marks the file as ours, "user_version" is the version of its tables:
//   1  decisions
//   2  decisions, summaries, losses
// A writer of version 1 may write to a file of version 2, and says that it is 1 then: what it adds to the decisions is
// not in the summaries until a writer of version 2 opens the file.
namespace sbx::netlog {

inline constexpr std::int64_t kWithSummaries = 2;

Result<std::int64_t> schema_version(const SqliteConnection& connection);
Result<Losses> read_losses(const SqliteConnection& connection);  // from version 2 on

// For the writer: makes the tables, and takes over those of an older version, all of it or nothing.
Result<> make_tables(SqliteConnection& connection, const Sums::Limits& limits);

}  // namespace sbx::netlog
