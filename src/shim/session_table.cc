// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/session_table.h"

#include <algorithm>

#include "base/format.h"

namespace sbx::shim {

Result<> SessionTable::check_room() const {
  const auto running = std::ranges::count_if(sessions_, [](const auto& entry) { return entry.second->runs(); });
  if (static_cast<std::size_t>(running) < kMostRunning) return Ok{};
  return fail(Code::kConflict, sbx::format("{} sessions run in this sandbox already", running), "sandbox sessions");
}

TerminalSession& SessionTable::add(Guest& guest, const wire::ExecRequest& request,
                                   const std::function<TerminalSession::Handlers(wire::SessionNumber)>& handlers) {
  const wire::SessionNumber number = next_++;
  auto session = std::make_unique<TerminalSession>(loop_, guest, number, request, handlers(number));
  return *sessions_.emplace(number, std::move(session)).first->second;
}

Result<TerminalSession*> SessionTable::find(wire::SessionNumber number) const {
  const auto it = sessions_.find(number);
  if (it != sessions_.end()) return it->second.get();
  return fail(Code::kNotFound, sbx::format("no session {}", number), "sandbox sessions");
}

wire::SessionList SessionTable::list() const {
  wire::SessionList list;
  for (const auto& [number, session] : sessions_) list.sessions.push_back(session->info());
  return list;
}

bool SessionTable::has_clients() const {
  return std::ranges::any_of(sessions_, [](const auto& entry) { return entry.second->has_clients(); });
}

// Later, because it is a session that calls.
void SessionTable::forget_oldest() {
  lifeline_.later([this] {
    auto ended = std::ranges::count_if(sessions_, [](const auto& entry) { return !entry.second->runs(); });
    for (auto it = sessions_.begin(); it != sessions_.end() && static_cast<std::size_t>(ended) > kMostEnded;) {
      const bool is_over = !it->second->runs();
      it = is_over ? sessions_.erase(it) : std::next(it);
      if (is_over) --ended;
    }
  });
}

}  // namespace sbx::shim
