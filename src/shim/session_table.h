// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/result.h"
#include "loop/lifeline.h"
#include "loop/loop.h"
#include "shim/terminal_session.h"
#include "wire/session.h"

namespace sbx::shim {

// The sessions of a sandbox by their numbers: those that run (kMostRunning) and the last that have ended (kMostEnded),
// so that a client that comes too late still sees the end. What they keep is bounded by that: 64 MiB and 1 MiB.
class SessionTable {
 public:
  static constexpr std::size_t kMostRunning = 64;
  static constexpr std::size_t kMostEnded = 16;

  explicit SessionTable(loop::Loop& loop) : loop_(loop), lifeline_(loop) {}

  // kConflict: there are too many.
  Result<> check_room() const;
  // Not open yet. `handlers.ended` and `handlers.client_gone` are called as they are; the session may not be destroyed
  // from inside.
  TerminalSession& add(Guest& guest, const wire::ExecRequest& request,
                       const std::function<TerminalSession::Handlers(wire::SessionNumber)>& handlers);
  // kNotFound: it never was, or ended long ago.
  Result<TerminalSession*> find(wire::SessionNumber number) const;
  wire::SessionList list() const;
  // A client is still to be told what its program said last.
  bool has_clients() const;
  // Call it when one has ended.
  void forget_oldest();

 private:
  loop::Loop& loop_;
  std::map<wire::SessionNumber, std::unique_ptr<TerminalSession>> sessions_;
  wire::SessionNumber next_ = 1;
  loop::Lifeline lifeline_;
};

}  // namespace sbx::shim
