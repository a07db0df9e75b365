// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/mcp_door.h"

#include <algorithm>
#include <chrono>

namespace sbx::shim {
namespace {

// The server's sandbox may have to boot.
constexpr std::chrono::seconds kPatience{60};

}  // namespace

void McpDoor::serve(const std::string& server, std::unique_ptr<streams::Stream> program) {
  const bool is_granted = std::ranges::find(granted_, server) != granted_.end();
  if (!is_granted || waiting_.size() >= kMostWaiting || served() >= kMostServed) return;
  const std::int64_t ticket = next_++;
  waiting_[ticket] = {server, std::move(program)};
  lifeline_.after(kPatience, [this, ticket] { waiting_.erase(ticket); });
  on_wanted_({ticket, server});
}

// A ticket alone may be that of an earlier shim.
Result<> McpDoor::connect(const wire::McpWanted& wanted, Fd server) {
  const auto found = waiting_.find(wanted.ticket);
  if (found == waiting_.end() || found->second.server != wanted.server)
    return fail(Code::kNotFound, "no program waits for it");
  TRY(set_nonblocking(server));
  auto& visitors = visitors_.try_emplace(wanted.server, loop_).first->second;
  visitors.add(std::move(server), std::move(found->second.program));
  waiting_.erase(found);
  return Ok{};
}

void McpDoor::revoke(const std::string& server) {
  std::erase(granted_, server);
  std::erase_if(waiting_, [&](const auto& entry) { return entry.second.server == server; });
  visitors_.erase(server);
}

std::size_t McpDoor::served() const {
  std::size_t count = 0;
  for (const auto& [server, visitors] : visitors_) count += visitors.count();
  return count;
}

std::vector<wire::McpWanted> McpDoor::waiting() const {
  std::vector<wire::McpWanted> all;
  for (const auto& [ticket, waiting] : waiting_) all.push_back({ticket, waiting.server});
  return all;
}

}  // namespace sbx::shim
