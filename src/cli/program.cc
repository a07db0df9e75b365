// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"

#include <cstdio>

#include "base/format.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/client/docker_parent.h"
#include "cli/commands.h"
#include "cli/commands/verbs.h"
#include "cli/grammar/help.h"
#include "cli/views/output.h"

namespace sbx::cli {
namespace {

constexpr int kUsage = 2;
constexpr int kOurFailure = 125;

// What docker itself takes, and passes on in front of the plugin's name.
constexpr Flag kDockerFlags[] = {
    {.name = "config", .kind = FlagKind::kText},
    {.name = "context", .letter = 'c', .kind = FlagKind::kText},
    {.name = "debug", .letter = 'D'},
    {.name = "help", .letter = 'h'},
    {.name = "host", .letter = 'H', .kind = FlagKind::kList},
    {.name = "log-level", .letter = 'l', .kind = FlagKind::kText},
    {.name = "tls"},
    {.name = "tlscacert", .kind = FlagKind::kText},
    {.name = "tlscert", .kind = FlagKind::kText},
    {.name = "tlskey", .kind = FlagKind::kText},
    {.name = "tlsverify"},
};

constexpr Flag kVersionFlag[] = {{.name = "version", .letter = 'v'}};

std::string_view name_in(std::string_view called_as) { return called_as.substr(called_as.find_last_of('/') + 1); }

bool is_plugin(const std::string& called_as) { return name_in(called_as) == "docker-sandbox"; }

// `secrets add` is `sandbox secret add`; `secrets` alone shows the help of `secret`.
bool is_secrets(const std::string& called_as) { return name_in(called_as) == "secrets"; }

// `openclaw sandbox status` is `sandbox openclaw status`. OpenClaw's other commands are not ours.
bool is_openclaw(const std::string& called_as) { return name_in(called_as) == "openclaw"; }

Result<std::vector<std::string>> words_for_openclaw(std::vector<std::string> words) {
  if (words.empty() || words.front() != "sandbox")
    return fail(Code::kInvalid, "by the name openclaw this program has the command sandbox only",
                "openclaw sandbox --help");
  words.front() = "openclaw";
  return words;
}

std::span<const std::string> from(std::span<const std::string> words, std::size_t begin) {
  return words.subspan(begin);
}

// Without docker's own options and the plugin's name; --debug is ours too. `docker help sandbox X` comes as it was
// typed.
Result<std::vector<std::string>> words_for_plugin(const std::vector<std::string>& words) {
  const Flags flags = all_of({kDockerFlags, kVersionFlag});
  const auto count = leading_flags(words, flags);
  if (!count || *count == words.size()) return words;
  const bool asks_for_help = words[*count] == "help";
  const std::size_t name = *count + (asks_for_help ? 1 : 0);
  if (name >= words.size() || words[name] != "sandbox") return words;
  TRY_ASSIGN(const Arguments docker, parse_flags(std::span(words).first(*count), flags, Grammar::kInterspersed));
  std::vector<std::string> ours;
  if (docker.on("debug")) ours.emplace_back("--debug");
  if (docker.on("help") || asks_for_help) ours.emplace_back("--help");
  ours.insert(ours.end(), words.begin() + static_cast<std::ptrdiff_t>(name) + 1, words.end());
  return ours;
}

Error unknown_command(const Context& context, const std::string& word) {
  const std::string_view meant = nearest_command(word);
  return Error(Code::kInvalid, "unknown command: " + word,
               meant.empty() ? context.program + " --help" : sbx::format("{} {}", context.program, meant));
}

Error usage_error(Error error, const Context& context, const CliCommand& command) {
  return std::move(error).with_hint(sbx::format("{} {} --help", context.program, command.name));
}

Result<> check_count(const Context& context, const CliCommand& command, const Arguments& arguments) {
  const std::size_t count = arguments.operands().size() + arguments.rest().size();
  const std::string who = sbx::format("\"{} {}\"", context.program, command.name);
  const auto plural = [](std::size_t n) { return n == 1 ? "" : "s"; };
  if (count < command.fewest)
    return fail(Code::kInvalid,
                sbx::format("{} requires at least {} argument{}", who, command.fewest, plural(command.fewest)));
  if (count > command.most)
    return fail(Code::kInvalid, command.most == 0 ? who + " accepts no arguments"
                                                  : sbx::format("{} accepts at most {} argument{}", who, command.most,
                                                                plural(command.most)));
  return Ok{};
}

Result<int> show_help(const Context& context, std::span<const std::string> words) {
  std::size_t used = 0;
  const CliCommand* command = find_command(words, used);
  if (command == nullptr && !words.empty()) return fail(unknown_command(context, words[0]));
  print(command == nullptr ? overview(context.program) : command_help(context.program, *command));
  return 0;
}

// `leading`: the global options that came before the command; they count as if they came after it.
Result<int> run_command(Context& context, const CliCommand& command, std::span<const std::string> leading,
                        std::span<const std::string> words) {
  std::vector<std::string> all(leading.begin(), leading.end());
  all.insert(all.end(), words.begin(), words.end());
  auto arguments = parse_flags(all, all_of({command.flags, global_flags()}), command.grammar);
  if (!arguments) return fail(usage_error(std::move(arguments).error(), context, command));
  if (arguments->on("help") || command.handler == nullptr) {
    if (!arguments->on("help") && !arguments->operands().empty())
      return fail(usage_error(
          Error(Code::kInvalid, sbx::format("unknown command: {} {}", command.name, arguments->operands().front())),
          context, command));
    print(command_help(context.program, command));
    return 0;
  }
  if (auto counted = check_count(context, command, *arguments); !counted)
    return fail(usage_error(std::move(counted).error(), context, command));
  set_debug_log(arguments->on("debug"));
  context.socket = arguments->text("socket");
  return command.handler(context, *arguments);
}

Result<int> dispatch(Context& context, std::span<const std::string> words) {
  const Flags flags = all_of({global_flags(), kVersionFlag});
  auto count = leading_flags(words, flags);
  if (!count) return fail(std::move(count).error().with_hint(context.program + " --help"));
  TRY_ASSIGN(const Arguments leading, parse_flags(words.first(*count), flags, Grammar::kInterspersed));
  const auto rest = from(words, *count);
  if (leading.on("version")) return verbs::version(context, leading);
  if (rest.empty() || leading.on("help")) return show_help(context, rest);
  if (rest[0] == "help") return show_help(context, from(rest, 1));
  std::size_t used = 0;
  const CliCommand* command = find_command(rest, used);
  if (command == nullptr) return fail(unknown_command(context, rest[0]));
  return run_command(context, *command, words.first(*count), from(rest, used));
}

Result<int> dispatch_openclaw(Context& context, std::vector<std::string> words) {
  TRY_ASSIGN(const std::vector<std::string> ours, words_for_openclaw(std::move(words)));
  return dispatch(context, ours);
}

// A full disk behind standard output must not look like success.
int flushed(int code, const Context& context) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  context.print_error(Error::from_errno("write to standard output"));
  return kOurFailure;
}

}  // namespace

int run_program(const std::string& called_as, std::vector<std::string> words) {
  Context context;
  if (is_plugin(called_as)) {
    context.program = "docker sandbox";
    follow_docker();
    auto ours = words_for_plugin(words);
    if (ours) words = std::move(*ours);
  }
  if (is_secrets(called_as)) words.insert(words.begin(), "secret");
  const auto code = is_openclaw(called_as) ? dispatch_openclaw(context, std::move(words)) : dispatch(context, words);
  if (code) return flushed(*code, context);
  std::fflush(stdout);
  context.print_error(code.error());
  return code.error().code() == Code::kInvalid ? kUsage : kOurFailure;
}

}  // namespace sbx::cli
