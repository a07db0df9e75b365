// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/result.h"
#include "cli/mcp/exec_job.h"

namespace sbx::cli::mcp {

// The commands that exec_start has started, by their ids. The last that have ended are kept, to be read. Thread-safe.
class ExecJobs {
 public:
  static constexpr std::size_t kMost = 64;

  // Has `start` start one, and returns its id. kConflict: too many run, and nothing was started.
  using Start = std::function<Result<std::shared_ptr<ExecJob>>()>;
  Result<std::string> start(const Start& start);
  Result<std::shared_ptr<ExecJob>> find(const std::string& id) const;

 private:
  Result<> reserve();
  bool make_room();

  mutable std::mutex mutex_;
  std::map<std::int64_t, std::shared_ptr<ExecJob>> jobs_;
  std::size_t starting_ = 0;  // that are not in jobs_ yet
  std::int64_t last_ = 0;
};

}  // namespace sbx::cli::mcp
