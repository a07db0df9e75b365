// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/agent_line.h"

#include <algorithm>

#include "base/text.h"

namespace sbx::agentloop {
namespace {

// The kernel takes 128 KiB in one word.
constexpr std::size_t kLongestPrompt = 120u << 10;

struct Way {
  std::string_view agent;
  std::vector<std::string> before;   // the prompt
  std::vector<std::string> after;    // and before the user's own
  std::vector<std::string> goes_on;  // added to what is before the prompt; empty: it would have to be given an id
  Dialect dialect = Dialect::kText;
  bool prompt_is_last = false;
};

const std::vector<Way>& ways() {
  static const std::vector<Way> table{
      {.agent = "claude",
       .before = {"claude", "--dangerously-skip-permissions", "-p"},
       .after = {"--output-format", "stream-json", "--verbose"},
       .goes_on = {"--continue"},
       .dialect = Dialect::kClaude},
      {.agent = "codex",
       .before = {"codex", "exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"},
       .after = {},
       .goes_on = {"resume", "--last"},
       .dialect = Dialect::kCodex,
       .prompt_is_last = true},
      {.agent = "gemini", .before = {"gemini", "--yolo", "-p"}, .after = {}, .goes_on = {"--resume", "latest"}},
      {.agent = "qwen", .before = {"qwen", "--yolo", "-p"}, .after = {}, .goes_on = {"--continue"}},
      {.agent = "copilot", .before = {"copilot", "--yolo", "-p"}, .after = {}, .goes_on = {"--continue"}},
      {.agent = "opencode",
       .before = {"opencode", "run"},
       .after = {},
       .goes_on = {"--continue"},
       .prompt_is_last = true},
      {.agent = "cursor", .before = {"cursor-agent", "--force", "-p"}, .after = {}, .goes_on = {"--continue"}},
      {.agent = "crush",
       .before = {"crush", "run", "-q"},
       .after = {},
       .goes_on = {"--continue"},
       .prompt_is_last = true},
      {.agent = "pi", .before = {"pi", "-p"}, .after = {}, .goes_on = {"--continue"}},
      {.agent = "amp", .before = {"amp", "--dangerously-allow-all", "-x"}, .after = {}, .goes_on = {}},
      {.agent = "droid",
       .before = {"droid", "exec", "--auto", "high"},
       .after = {},
       .goes_on = {},
       .prompt_is_last = true},
      {.agent = "kiro",
       .before = {"kiro", "chat", "--no-interactive", "--trust-all-tools"},
       .after = {},
       .goes_on = {"--resume"},
       .prompt_is_last = true},
  };
  return table;
}

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

// The words by which agents are told that they may do everything.
constexpr std::string_view kPermissions[] = {"--dangerously-skip-permissions",
                                             "--dangerously-bypass-approvals-and-sandbox",
                                             "--dangerously-allow-all",
                                             "--yolo",
                                             "--force",
                                             "--trust-all-tools"};

AgentLine line_of(const Way& way, const AgentQuestion& question) {
  AgentLine line{way.before, way.dialect};
  std::vector<std::string>& words = line.command;
  if (question.asks_permission)
    std::erase_if(words,
                  [](const auto& word) { return std::ranges::find(kPermissions, word) != std::end(kPermissions); });
  if (way.prompt_is_last) {
    append(words, question.arguments);
    if (question.goes_on) append(words, way.goes_on);
    words.push_back(question.prompt);
    return line;
  }
  if (question.goes_on) words.insert(words.end() - 1, way.goes_on.begin(), way.goes_on.end());
  words.push_back(question.prompt);
  append(words, way.after);
  append(words, question.arguments);
  return line;
}

}  // namespace

std::string agent_called(std::string_view name) {
  if (name == "claude-code") return "claude";
  if (name == "cursor-agent") return "cursor";
  return std::string(name);
}

Result<AgentLine> agent_line(const AgentQuestion& question) {
  if (question.prompt.size() > kLongestPrompt)
    return fail(Code::kTooLarge, "the prompt is longer than 120 KiB", "put the long part into a file, and name it");
  const bool has_command = !question.arguments.empty() && !question.arguments.front().starts_with('-');
  if (has_command && question.goes_on)
    return fail(Code::kInvalid, "it is not known how a command of your own goes on with its last conversation",
                "without --continue");
  if (has_command) {
    AgentLine line{question.arguments, Dialect::kText};
    line.command.push_back(question.prompt);
    return line;
  }
  const auto way = std::ranges::find(ways(), question.agent, &Way::agent);
  if (way == ways().end())
    return fail(Code::kInvalid, "it is not known how " + printable(question.agent) + " is asked without a terminal",
                "name its command behind --; the prompt becomes its last word");
  if (question.goes_on && way->goes_on.empty())
    return fail(Code::kInvalid, std::string(way->agent) + " cannot be told to go on with its last conversation",
                "without --continue");
  AgentLine line = line_of(*way, question);
  if (!question.program.empty()) line.command.front() = question.program;
  return line;
}

}  // namespace sbx::agentloop
