// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "netlog/sqlite.h"

// The room on the disk that a log has before it needs it, so that a disk which others have filled does not end it: new
// records then take the pages of the oldest, and what undoes a write that is cut off goes into a journal that is there
// already. It holds where the file system writes in place (ext4, XFS, tmpfs); one that copies what it overwrites
// (btrfs, ZFS) may need room for that, too.
namespace sbx::netlog {

inline constexpr std::int64_t kChunk = 256 << 10;    // the file's size is a multiple of this
inline constexpr std::int64_t kJournal = 128 << 10;  // stays on the disk between two writes

// The file grows in chunks from now on, and shrinks to whole chunks only. For a connection that has written nothing.
void grow_in_chunks(SqliteConnection& connection, std::int64_t largest);
// Fills the last chunk and the journal. For the only writer, between two writes, when the tables are there.
Result<> reserve(SqliteConnection& connection, const std::string& path);

}  // namespace sbx::netlog
