// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/grammar/help.h"

#include <algorithm>
#include <vector>

#include "base/format.h"
#include "base/text.h"
#include "cli/grammar/wrap.h"

namespace sbx::cli {
namespace {

std::string flag_title(const Flag& flag) {
  std::string title = flag.letter == 0 ? "    " : sbx::format("-{}, ", flag.letter);
  title += sbx::format("--{}", flag.name);
  if (!flag.value.empty()) title += sbx::format(" {}", flag.value);
  return title;
}

std::string flag_help(const Flag& flag) {
  return flag.fallback.empty() ? std::string(flag.help) : sbx::format("{} (default: {})", flag.help, flag.fallback);
}

constexpr std::size_t kWidestTitle = 28;

using Pairs = std::vector<std::pair<std::string, std::string>>;

std::string section(std::string_view title, const Pairs& pairs) {
  if (pairs.empty()) return {};
  std::size_t width = 0;
  for (const auto& [left, right] : pairs)
    if (left.size() <= kWidestTitle) width = std::max(width, left.size());
  const std::size_t column = width + 4;
  std::string out = sbx::format("\n{}:\n", title);
  for (const auto& [left, right] : pairs) {
    // One that is wider than most has a line of its own.
    out += left.size() <= width ? sbx::format("  {:<{}}  ", left, width)
                                : sbx::format("  {}\n{}", left, std::string(column, ' '));
    out += wrapped(right, column, column) + "\n";
  }
  return out;
}

Pairs flag_pairs(std::span<const Flag> flags) {
  Pairs pairs;
  for (const Flag& flag : flags)
    if (!flag.hidden) pairs.emplace_back(flag_title(flag), flag_help(flag));
  return pairs;
}

bool is_member(const CliCommand& command) { return command.name.find(' ') != std::string_view::npos; }

Pairs members_of(const CliCommand& group) {
  Pairs pairs;
  const std::string prefix = std::string(group.name) + " ";
  for (const CliCommand& command : command_table())
    if (command.name.starts_with(prefix)) pairs.emplace_back(command.name.substr(prefix.size()), command.summary);
  return pairs;
}

std::vector<std::string_view> groups() {
  std::vector<std::string_view> names;
  for (const CliCommand& command : command_table())
    if (!command.group.empty() && std::find(names.begin(), names.end(), command.group) == names.end())
      names.push_back(command.group);
  return names;
}

Pairs commands_in(std::string_view group) {
  Pairs pairs;
  for (const CliCommand& command : command_table())
    if (command.group == group && !command.hidden && !is_member(command))
      pairs.emplace_back(command.name, command.summary);
  return pairs;
}

std::string example_lines(std::string_view program, const CliCommand& command, std::string_view indent) {
  std::string out;
  for (const std::string& line : examples(program, command)) out += sbx::format("{}{}\n", indent, line);
  return out;
}

bool begins_with_command(std::string_view line) {
  const std::string_view word = line.substr(0, line.find(' '));
  return std::ranges::any_of(command_table(), [&](const CliCommand& command) {
    return command.name.substr(0, command.name.find(' ')) == word;
  });
}

std::string usage_line(std::string_view program, const CliCommand& command) {
  std::string line = sbx::format("{} {}", program, command.name);
  if (!command.usage.empty()) line += sbx::format(" {}", command.usage);
  return line;
}

std::string alias_line(std::string_view program, const CliCommand& command) {
  return sbx::format("{0} {1}, {0} {2}", program, command.name, command.alias);
}

}  // namespace

// A pipeline into this program says its name itself: what comes before may be a program of the host's, such as docker.
std::vector<std::string> examples(std::string_view program, const CliCommand& command) {
  constexpr std::string_view kPipe = "| sandbox ";
  std::vector<std::string> lines = split(command.examples, '\n');
  for (std::string& line : lines) {
    if (const std::size_t pipe = line.find(kPipe); pipe != std::string::npos)
      line.replace(pipe, kPipe.size(), sbx::format("| {} ", program));
    else if (begins_with_command(line))
      line.insert(0, sbx::format("{} ", program));
  }
  return lines;
}

std::string overview(std::string_view program) {
  std::string out =
      sbx::format("Usage:  {} [OPTIONS] COMMAND\n\nRun coding agents in sandboxes of their own\n", program);
  for (const std::string_view group : groups()) out += section(group, commands_in(group));
  out += section("Global options", flag_pairs(global_flags()));
  return out + sbx::format("\nRun '{} COMMAND --help' for more about a command.\n", program);
}

std::string command_help(std::string_view program, const CliCommand& command) {
  std::string out =
      sbx::format("Usage:  {}\n\n{}\n", wrapped(usage_line(program, command), 8, 10), wrapped(command.summary, 0, 0));
  if (!command.details.empty()) out += sbx::format("\n{}\n", wrapped_paragraphs(command.details));
  if (!command.alias.empty()) out += sbx::format("\nAliases:\n  {}\n", alias_line(program, command));
  out += section("Commands", members_of(command));
  out += section("Options", flag_pairs(command.flags));
  out += section("Global options", flag_pairs(global_flags()));
  if (!command.examples.empty()) out += sbx::format("\nExamples:\n{}", example_lines(program, command, "  "));
  return out;
}

namespace {

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string markdown_flags(std::span<const Flag> flags) {
  std::string out;
  for (const auto& [title, help] : flag_pairs(flags))
    out += sbx::format("| `{}` | {} |\n", trimmed(cell(title)), cell(help));
  return out.empty() ? out : "| Option | Meaning |\n|---|---|\n" + out + "\n";
}

std::string markdown_command(std::string_view program, const CliCommand& command) {
  std::string out = sbx::format("## {} {}\n\n{}.\n\n```\n{}\n```\n\n", program, command.name, command.summary,
                                usage_line(program, command));
  if (!command.details.empty()) out += sbx::format("{}\n\n", command.details);
  if (!command.alias.empty()) out += sbx::format("Also: `{} {}`.\n\n", program, command.alias);
  out += markdown_flags(command.flags);
  if (!command.examples.empty()) out += sbx::format("```console\n{}```\n\n", example_lines(program, command, "$ "));
  return out;
}

}  // namespace

std::string markdown(std::string_view program) {
  std::string out = sbx::format(
      "# The command line\n\nGenerated from the command table by `{} docs-markdown`. As a Docker CLI plugin the "
      "same commands are\n`docker sandbox ...`.\n\n"
      "Exit codes: `run` and `exec` pass on the command's. Our own: 2 wrong usage, 125 the sandbox or the\n"
      "daemon failed, 126 the command could not be run, 127 it was not found. Errors go to standard error as\n"
      "`error: ...`, with `try: ...` where we know what would help.\n\n## Global options\n\n{}",
      program, markdown_flags(global_flags()));
  for (const CliCommand& command : command_table())
    if (!command.hidden) out += markdown_command(program, command);
  out.pop_back();
  return out;
}

}  // namespace sbx::cli
