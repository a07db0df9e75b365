// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "daemon/options.h"

#include <algorithm>

#include "base/flags.h"
#include "base/text.h"

namespace sbx::daemon {
namespace {

constexpr Flag kFlags[] = {
    {.name = "home",
     .kind = FlagKind::kText,
     .value = "DIR",
     .help = "where state lives (default: $SANDBOXES_HOME or ~/.docker/sandboxes)"},
    {.name = "ready-fd",
     .kind = FlagKind::kText,
     .value = "N",
     .help = "write a newline to this descriptor when serving"},
    {.name = "debug", .letter = 'D', .help = "log more"},
    {.name = "version", .help = "print the version"},
    {.name = "fault-points", .help = "print the places where tests may end a process"},
    {.name = "help", .help = "print this"},
};

Failure refused(std::string why) { return fail(Code::kInvalid, std::move(why), "sandboxd --help"); }

}  // namespace

Result<Options> parse_options(const std::vector<std::string>& arguments) {
  const auto given = parse_flags(arguments, all_of({kFlags}), Grammar::kInterspersed);
  if (!given) return refused(given.error().what());
  if (!given->operands().empty()) return refused("unknown option " + given->operands().front());
  Options options{.home = given->text("home"),
                  .ready_fd = std::nullopt,
                  .debug = given->on("debug"),
                  .show_version = given->on("version"),
                  .show_fault_points = given->on("fault-points"),
                  .show_help = given->on("help")};
  if (given->given("home") && !options.home.starts_with('/')) return refused("--home: it must be an absolute path");
  if (!given->given("ready-fd")) return options;
  const auto number = parse_integer(given->text("ready-fd"));
  if (!number || *number < 0 || *number > 65535) return refused("--ready-fd: not a descriptor");
  options.ready_fd = static_cast<int>(*number);
  return options;
}

std::string usage() {
  std::string text = "Usage: sandboxd [OPTIONS]\n\nThe daemon behind `sandbox`. It is started on demand.\n\n";
  for (const Flag& flag : kFlags) {
    std::string left = flag.letter != 0 ? std::string("  -") + flag.letter + ", --" : "  --";
    left.append(flag.name).append(" ").append(flag.value);
    left.resize(std::max<std::size_t>(left.size() + 1, 20), ' ');
    text += left.append(flag.help) + "\n";
  }
  return text;
}

}  // namespace sbx::daemon
