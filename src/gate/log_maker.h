// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace sbx::gate {

// Makes network.db, or takes over an older one, and sets its room on the disk aside, before anything is decided: then
// the disk may be full. In a process of its own, confined as the gate is, which ends: a gate that has nothing to write
// should not keep the 300 KiB that SQLite needs for this. For a gate that has given up its privileges and has no thread
// yet. `lock` is the gate's hold on the log's directory, and held until both have ended.
//
// The other end of the pipe that it returns is closed when that is done. Why it could not be done is in our log only:
// who opens the file next will find out as well.
Result<Fd> start_log_maker(const std::string& path, const Fd& lock);

}  // namespace sbx::gate
