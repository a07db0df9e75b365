// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/json_fwd.h"

namespace sbx::agentloop {

// What an agent prints when it is asked without a terminal.
enum class Dialect {
  kText,    // its words
  kClaude,  // a line of JSON for each event: claude --output-format stream-json
  kCodex,   // the same, of codex exec --json
};

// Tells the agent's own words from all else that it prints: prompts that it repeats, results of tools, words of its
// helpers. Bounded, whatever the agent prints.
//   Transcript transcript(Dialect::kClaude, prompt);
//   log += transcript.take(bytes);
//   is_promised(transcript.words(), ...)
class Transcript {
 public:
  Transcript(Dialect dialect, std::string prompt) : dialect_(dialect), prompt_(std::move(prompt)) {}

  // Gives what a person wants to read of it.
  std::string take(std::string_view bytes);
  // Once the agent has ended: the last line need not have an end.
  std::string finish();
  // What the agent said last, or its whole output if that is not in the dialect.
  std::string words() const;

 private:
  std::string take_line(std::string_view line);
  std::string take_claude(const Json& event);
  std::string take_codex(const Json& event);
  void remember(std::string_view bytes);

  Dialect dialect_;
  std::string prompt_;
  std::string line_;
  bool overlong_ = false;  // the rest of this line is not kept
  bool understood_ = false;
  std::string said_;  // of an agent that speaks JSON: its last message
  std::string tail_;  // of the output
};

}  // namespace sbx::agentloop
