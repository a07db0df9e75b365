// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/choice.h"
#include "base/members.h"
#include "wire/exec.h"
#include "wire/frame.h"

// A session: an exec with a terminal, which the shim keeps when its clients leave.
namespace sbx::wire {

// What a shim lists among its features if it has sessions.
inline constexpr std::string_view kSessionsFeature = "sessions";

// Of the shim's own counting, from 1 on in each run of a sandbox.
using SessionNumber = std::uint32_t;

// kUnknown: a newer daemon has a word for it that this client has not.
enum class SessionState { kUnknown, kRunning, kEnded };
constexpr auto choices(SessionState) {
  return std::to_array<Choice<SessionState>>(
      {{SessionState::kUnknown, "unknown"}, {SessionState::kRunning, "running"}, {SessionState::kEnded, "ended"}});
}

// What is told of one. All of it is what clients asked for or what the shim counts; nothing is a word of the guest's
// but the exit.
struct SessionInfo {
  SessionNumber session = 0;
  std::vector<std::string> command;
  std::string user;    // as it was asked for; empty: agent
  bool agent = false;  // it is the sandbox's agent, which `run` goes back to
  SessionState state = SessionState::kRunning;
  std::string started_at;
  std::string used_at;   // when a client came or typed, the last time
  std::string ended_at;  // empty: it runs
  std::optional<ExecExit> exit;
  WindowSize window;
  std::int32_t clients = 0;      // that may type
  std::int32_t watchers = 0;     // that may not
  std::int64_t output_from = 0;  // number of the oldest byte of output that is kept
  std::int64_t output_to = 0;    // and of the next one to come
};
void describe(Members& members, SessionInfo& info);

// GET /sandboxes/{name}/sessions.
struct SessionList {
  std::vector<SessionInfo> sessions;
};
void describe(Members& members, SessionList& list);

// POST /sandboxes/{name}/sessions/{session}/attach.
struct AttachRequest {
  std::optional<std::int64_t> from;  // a number of the output; nothing: what brings the last screen back
  bool read_only = false;            // nothing that the client sends counts, nor does its window
  bool alone = false;                // only if no other client may type
  WindowSize window;
};
void describe(Members& members, AttachRequest& request);

// kOpened, as the client of a session gets it.
struct SessionOpened {
  SessionNumber session = 0;
  std::int64_t pid = 0;
};
void describe(Members& members, SessionOpened& opened);

// kPosition, for the client of a session: which output comes next.
struct OutputPosition {
  std::int64_t from = 0;     // the number of the next byte
  std::int64_t live = 0;     // output below this number was printed before the client came
  std::int64_t skipped = 0;  // bytes that the client should have had, and that are not kept any more
  std::string modes;         // what the terminal has to be told first (base/terminal_modes.h)
};
void describe(Members& members, OutputPosition& position);

// How a program in the sandbox asks its terminal for a page to be opened: ESC ] kOpenLink ADDRESS BEL.
// SECURITY: anything that is printed on the terminal may do so. See cli/words/login_link.h for what is made of it.
inline constexpr std::string_view kOpenLink = "7747;open;";
inline constexpr std::size_t kLongestLink = 3800;  // with its sequence, what a terminal scanner holds

}  // namespace sbx::wire
