// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/grammar/manual.h"

#include <algorithm>

#include "base/format.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/grammar/help.h"
#include "cli/own_version.h"

namespace sbx::cli {
namespace {

constexpr std::string_view kExitCodes =
    "\\fBrun\\fR and \\fBexec\\fR exit with the code of their command. Our own are 2 for wrong usage, 125 when the\n"
    "sandbox or the daemon failed, 126 when the command could not be run and 127 when it was not found.\n";
constexpr std::string_view kFiles =
    ".TP\n~/.docker/sandboxes\nall state: sandboxes, templates, logs. \\fBsandbox reset \\-\\-all\\fR removes it.\n"
    ".TP\n~/.sandboxd/config.json\nthe configuration, if there is one\n";

// A dash that a reader can copy, a backslash that is one, and no line that begins like a request of roff's.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool begins_line = out.empty() || out.back() == '\n';
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string page_name(const CliCommand& command) {
  std::string name = "sandbox-" + std::string(command.name);
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string head(std::string_view name, std::string_view summary) {
  std::string title(name);
  for (char& c : title)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return sbx::format(".TH \"{}\" \"1\" \"\" \"sandboxd {}\" \"sandboxd\"\n.SH NAME\n{} \\- {}\n", roff(title),
                     own_version(), roff(name), roff(summary));
}

std::string flag_entries(std::span<const Flag> flags) {
  std::string out;
  for (const Flag& flag : flags) {
    if (flag.hidden) continue;
    std::string title = flag.letter == 0 ? "" : sbx::format("-{}, ", flag.letter);
    title += sbx::format("--{}", flag.name);
    out += sbx::format(".TP\n\\fB{}\\fR", roff(title));
    if (!flag.value.empty()) out += sbx::format(" \\fI{}\\fR", roff(flag.value));
    out += "\n" + roff(flag.help) + "\n";
    if (!flag.fallback.empty()) out += sbx::format("(default: {})\n", roff(flag.fallback));
  }
  return out;
}

std::string paragraphs(std::string_view text) {
  std::string out;
  for (const std::string& line : split(text, '\n')) out += line.empty() ? ".PP\n" : roff(line) + "\n";
  return out;
}

std::string examples_of(const CliCommand& command) {
  std::string out = ".SH EXAMPLES\n.nf\n";
  for (const std::string& line : examples("sandbox", command)) out += roff(line) + "\n";
  return out + ".fi\n";
}

ManualPage page_of(const CliCommand& command) {
  std::string out = head(page_name(command), command.summary);
  out += sbx::format(".SH SYNOPSIS\n\\fBsandbox {}\\fR {}\n", roff(command.name), roff(command.usage));
  if (!command.details.empty()) out += ".SH DESCRIPTION\n" + paragraphs(command.details);
  if (!command.flags.empty()) out += ".SH OPTIONS\n" + flag_entries(command.flags);
  if (!command.examples.empty()) out += examples_of(command);
  return {page_name(command) + ".1", out + ".SH SEE ALSO\nsandbox(1)\n"};
}

ManualPage overview_page() {
  std::string out = head("sandbox", "run coding agents in sandboxes of their own");
  out += ".SH SYNOPSIS\n\\fBsandbox\\fR [OPTIONS] COMMAND\n.SH COMMANDS\n";
  for (const CliCommand& command : command_table())
    if (!command.hidden)
      out += sbx::format(".TP\n\\fB{}\\fR(1)\n{}\n", roff(page_name(command)), roff(command.summary));
  out += ".SH OPTIONS\n" + flag_entries(global_flags());
  out += ".SH EXIT STATUS\n" + std::string(kExitCodes) + ".SH FILES\n" + std::string(kFiles);
  return {"sandbox.1", out};
}

}  // namespace

std::vector<ManualPage> manual_pages() {
  std::vector<ManualPage> pages{overview_page()};
  for (const CliCommand& command : command_table())
    if (!command.hidden) pages.push_back(page_of(command));
  return pages;
}

}  // namespace sbx::cli
