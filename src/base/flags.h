// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

// Docker's command-line grammar, from tables: -it, -eK=V, -e K=V, --env=K=V, --env K=V, --tty=false, and `--`.
//   constexpr Flag kFlags[] = {{.name = "tty", .letter = 't'}, {.name = "user", .kind = FlagKind::kText}};
//   TRY_ASSIGN(const Arguments given, parse_flags(words, all_of({kFlags}), Grammar::kInterspersed));
namespace sbx {

enum class FlagKind {
  kSwitch,  // --tty, --tty=false
  kText,    // the last one given counts
  kList,    // every one given counts
};

// What the shell may offer for a value or an operand.
// kSessions: those of the sandbox that is the operand before. kCopies: files, and sandboxes with a colon behind them.
enum class Candidates {
  kNone,
  kFiles,
  kDirectories,
  kSandboxes,
  kAgents,
  kAgentsAndSandboxes,
  kSessions,
  kTemplates,
  kSecrets,
  kCopies,
  kWords
};

struct Flag {
  std::string_view name;
  char letter = 0;
  FlagKind kind = FlagKind::kSwitch;
  std::string_view value = {};  // what the help calls the value
  std::string_view help = {};
  std::string_view fallback = {};  // of a kText that is not given
  Candidates candidates = Candidates::kNone;
  std::string_view words = {};  // for kWords, separated by spaces or |
  bool hidden = false;
};

// Where flags end.
enum class Grammar {
  kInterspersed,   // flags and operands in any order; after `--` only operands
  kSplitAtDashes,  // the same, but what follows `--` is kept apart (run: the agent's words)
  kStopAtOperand,  // the first operand ends the flags, and what follows it is kept apart (exec: the command)
  kLiteral,        // no flags at all: every word is an operand
};

// What was given. Flags are asked for by their long name; a name that is not in the table is a bug.
class Arguments {
 public:
  bool on(std::string_view flag) const;
  bool given(std::string_view flag) const { return values_.contains(flag); }
  std::string text(std::string_view flag) const;  // given last, or the fallback
  const std::vector<std::string>& list(std::string_view flag) const;

  // Every flag that was given, with its value, as they were given.
  const std::vector<std::pair<std::string_view, std::string>>& in_order() const { return in_order_; }

  const std::vector<std::string>& operands() const { return operands_; }
  const std::vector<std::string>& rest() const { return rest_; }  // what is kept apart

 private:
  friend class FlagParser;
  std::map<std::string_view, std::vector<std::string>, std::less<>> values_;
  std::map<std::string_view, std::string_view, std::less<>> fallbacks_;
  std::vector<std::pair<std::string_view, std::string>> in_order_;
  std::vector<std::string> operands_;
  std::vector<std::string> rest_;
};

using Flags = std::vector<const Flag*>;
Flags all_of(std::initializer_list<std::span<const Flag>> tables);

// Fails with kInvalid: `unknown flag: --foo`, `flag needs an argument: --env`.
Result<Arguments> parse_flags(std::span<const std::string> words, const Flags& flags, Grammar grammar);

// How many words at the beginning are flags of the table and their values. An unknown flag is an error.
Result<std::size_t> leading_flags(std::span<const std::string> words, const Flags& flags);

}  // namespace sbx
