// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/exec_jobs.h"

#include <algorithm>

#include "base/format.h"
#include "base/text.h"

namespace sbx::cli::mcp {
namespace {

constexpr std::string_view kPrefix = "exec-";

}  // namespace

Result<std::string> ExecJobs::start(const Start& start) {
  TRY(reserve());
  auto job = start();  // without the lock: a sandbox may have to be started for it
  const std::lock_guard lock(mutex_);
  --starting_;
  TRY(job);
  jobs_.emplace(++last_, std::move(*job));
  return sbx::format("{}{}", kPrefix, last_);
}

Result<> ExecJobs::reserve() {
  const std::lock_guard lock(mutex_);
  if (jobs_.size() + starting_ >= kMost && !make_room())
    return fail(Code::kConflict, sbx::format("{} commands run already", kMost), "end some with exec_signal");
  ++starting_;
  return Ok{};
}

bool ExecJobs::make_room() {
  const auto ended = std::ranges::find_if(jobs_, [](const auto& entry) { return entry.second->end().has_value(); });
  if (ended == jobs_.end()) return false;
  jobs_.erase(ended);
  return true;
}

Result<std::shared_ptr<ExecJob>> ExecJobs::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto number =
      id.starts_with(kPrefix) ? parse_integer(std::string_view(id).substr(kPrefix.size())) : std::nullopt;
  const auto found = number ? jobs_.find(*number) : jobs_.end();
  if (found == jobs_.end()) return fail(Code::kNotFound, "no command has the id " + printable(id));
  return found->second;
}

}  // namespace sbx::cli::mcp
