// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/choice.h"
#include "base/members.h"
#include "base/result.h"

namespace sbx::agentloop {

// How a program of a loop came to its end: by itself, or ended by us, with its process group
// or all that it has started (Turn::whole_tree).
enum class TurnEnd { kExited, kTimeout, kIdle, kCancelled };
constexpr auto choices(TurnEnd) {
  return std::to_array<Choice<TurnEnd>>({{TurnEnd::kExited, "exited"},
                                         {TurnEnd::kTimeout, "timeout"},
                                         {TurnEnd::kIdle, "idle"},
                                         {TurnEnd::kCancelled, "cancelled"}});
}

struct TurnResult {
  int code = 0;  // the shell's
  TurnEnd end = TurnEnd::kExited;
  std::int64_t duration_ms = 0;
};
void describe(Members& members, TurnResult& result);

// A program that a loop runs once. Its output and its end are kept in a directory: asked for again with the same
// directory, by a loop that died meanwhile, it is not run again. What it has printed is given from the beginning, and
// what it still prints is waited for.
struct Turn {
  std::string kept;  // the directory; empty: nothing is kept, and it is run each time
  std::vector<std::string> command;
  std::string directory{};
  std::vector<std::pair<std::string, std::string>> environment{};  // over ours
  std::chrono::milliseconds timeout{0};                            // 0: none
  std::chrono::milliseconds idle{0};                               // without a byte of output
  bool only_ends = false;                                          // it is not run: one that runs is ended
  bool whole_tree = false;                                         // what is ended is all that it has started
  bool with_input = false;                                         // it has our standard input
};
void describe(Members& members, Turn& turn);

using OnPiece = std::function<void(bool is_error, std::string_view bytes)>;
using IsCancelled = std::function<bool()>;  // asked several times a second

// 126 and 127 as a shell has them, when the command cannot be run.
Result<TurnResult> run_turn(const Turn& turn, const OnPiece& on_piece, const IsCancelled& is_cancelled);

// The program for the guest that a loop outside starts: `ralph __turn`, with a Turn as JSON on standard input. What the
// command prints is passed on; the last line on standard error is kTurnMark and a TurnResult. TERM cancels it.
// With kTurnWithInputWord the size of that JSON comes before it, as eight hexadecimal digits, and what comes after it
// is the command's standard input.
inline constexpr std::string_view kTurnWord = "__turn";
inline constexpr std::string_view kTurnWithInputWord = "__turn-with-input";
inline constexpr char kTurnMark = '\x1e';
int turn_main();
int turn_with_input_main();
std::string turn_head(std::string_view json);  // the JSON with its size before it

}  // namespace sbx::agentloop
