// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <csignal>

#include "cli/mcp/tools.h"

namespace sbx::cli::mcp {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kUsualTimeout = 120'000;
constexpr std::int64_t kLongestTimeout = 24 * 3600 * 1000;
constexpr std::int64_t kUsualOutput = 64 << 10;
constexpr std::int64_t kMostOutput = 1 << 20;
constexpr std::int64_t kLongestWait = 60'000;
constexpr auto kKillGrace = 5s;  // for the news that a killed command has ended

struct Command {
  std::string name;
  std::vector<std::string> argv;
  std::string shell;
  std::string cwd;
  wire::Environment env;
  std::string input;
};
void describe_command(Members& members, Command& command) {
  members.required("name", command.name);
  members.optional("argv", command.argv);
  members.optional("shell", command.shell);
  members.optional("cwd", command.cwd);
  members.optional("env", command.env);
  members.optional("stdin", command.input);
  members.check(command.argv.empty() != command.shell.empty(), "one of \"argv\" and \"shell\" must be given");
}

struct Exec : Command {
  std::int64_t timeout_ms = kUsualTimeout;
  std::int64_t max_output_bytes = kUsualOutput;
};
void describe(Members& members, Exec& exec) {
  describe_command(members, exec);
  members.optional("timeout_ms", exec.timeout_ms);
  members.optional("max_output_bytes", exec.max_output_bytes);
  members.check(exec.timeout_ms > 0 && exec.timeout_ms <= kLongestTimeout, "\"timeout_ms\" must be 1 to 86400000");
  members.check(exec.max_output_bytes > 0 && exec.max_output_bytes <= kMostOutput,
                "\"max_output_bytes\" must be 1 to 1048576");
}

struct Start : Command {
  bool keep_stdin_open = false;
};
void describe(Members& members, Start& start) {
  describe_command(members, start);
  members.optional("keep_stdin_open", start.keep_stdin_open);
}

constexpr ArgumentNote kCommandNotes[] = {
    {"name", "Name of the sandbox; a stopped one is started"},
    {"argv", "Program and arguments, run without a shell"},
    {"shell", "Instead of argv: a line for sh"},
    {"cwd", "Working directory. Default: the workspace"},
    {"env", "Variables, in addition to the sandbox's own"},
    {"stdin", "Text for its standard input"},
    {"timeout_ms", "After that the command is killed. Default 120000"},
    {"max_output_bytes", "Of longer output the end is returned. Default 65536, at most 1048576"},
    {"keep_stdin_open", "exec_write can send more"},
};

struct Read {
  std::string id;
  std::int64_t after = 0;
  std::int64_t wait_ms = 0;
};
void describe(Members& members, Read& read) {
  members.required("id", read.id);
  members.optional("after", read.after);
  members.optional("wait_ms", read.wait_ms);
  members.check(read.after >= 0, "\"after\" must not be negative");
  members.check(read.wait_ms >= 0 && read.wait_ms <= kLongestWait, "\"wait_ms\" must be 0 to 60000");
}
constexpr ArgumentNote kReadNotes[] = {
    {"id", "What exec_start returned"},
    {"after", "Position to read from: \"next\" of the last read. Default 0, the beginning"},
    {"wait_ms", "Wait so long for output or the end, if there is none. Default 0, at most 60000"},
};

struct Write {
  std::string id;
  std::string data;
  bool end = false;
};
void describe(Members& members, Write& write) {
  members.required("id", write.id);
  members.optional("data", write.data);
  members.optional("end", write.end);
}
constexpr ArgumentNote kWriteNotes[] = {
    {"id", "What exec_start returned"},
    {"data", "Text for its standard input"},
    {"end", "Its standard input ends after that"},
};

enum class SignalName { kInterrupt, kTerminate, kKill, kHangup, kQuit, kUser1, kUser2 };
constexpr auto choices(SignalName) {
  return std::to_array<Choice<SignalName>>({{SignalName::kInterrupt, "INT"},
                                            {SignalName::kTerminate, "TERM"},
                                            {SignalName::kKill, "KILL"},
                                            {SignalName::kHangup, "HUP"},
                                            {SignalName::kQuit, "QUIT"},
                                            {SignalName::kUser1, "USR1"},
                                            {SignalName::kUser2, "USR2"}});
}
int number_of(SignalName name) {
  constexpr int kNumbers[] = {SIGINT, SIGTERM, SIGKILL, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
  return kNumbers[static_cast<std::size_t>(name)];
}

struct Signal {
  std::string id;
  SignalName signal = SignalName::kTerminate;
};
void describe(Members& members, Signal& signal) {
  members.required("id", signal.id);
  members.optional("signal", signal.signal);
}
constexpr ArgumentNote kSignalNotes[] = {
    {"id", "What exec_start returned"},
    {"signal", "Sent to all processes of the command's group. Default TERM"},
};

Result<std::shared_ptr<ExecJob>> start_job(const Call& call, const Command& command, std::int64_t most_kept,
                                           bool keeps_input) {
  TRY(allowed_sandbox(call, command.name));
  wire::ExecRequest request;
  request.command = command.argv.empty() ? std::vector<std::string>{"sh", "-c", command.shell} : command.argv;
  request.directory = command.cwd;
  request.environment = command.env;
  request.interactive = keeps_input || !command.input.empty();
  TRY_ASSIGN(auto job, ExecJob::start(call.session.client, command.name, request, static_cast<std::size_t>(most_kept)));
  if (!request.interactive) return job;
  // A command that ends without reading its input is no error.
  (void)job->write(command.input);
  if (!keeps_input) (void)job->end_input();
  return job;
}

Result<Json> state_of(const ExecJob& job, std::int64_t since) {
  const auto end = job.end();  // before the output, which is whole then
  const ExecJob::Output output = job.output_since(since);
  Json state = {{"running", !end}, {"stdout", output.out}, {"stderr", output.err}, {"next", output.next}};
  if (output.lost > 0) state["lost_bytes"] = output.lost;
  if (!end) return state;
  TRY_ASSIGN(const wire::ExecExit exit, *end);
  state["exit_code"] = exit.code;
  if (exit.signal != 0) state["signal"] = exit.signal;
  if (!exit.error.empty()) state["error"] = exit.error;
  return state;
}

Result<Json> exec(Call& call, const Exec& arguments) {
  TRY_ASSIGN(const auto job, start_job(call, arguments, arguments.max_output_bytes, false));
  const auto now = std::chrono::steady_clock::now;
  const bool in_time = job->wait_for_end(now() + std::chrono::milliseconds(arguments.timeout_ms), call.stop);
  if (!in_time) {
    (void)job->signal(SIGKILL);
    job->wait_for_end(now() + kKillGrace, {});
  }
  TRY_ASSIGN(Json state, state_of(*job, 0));
  state.erase("running");
  state.erase("next");
  if (!in_time) state["timed_out"] = true;
  return state;
}

Result<Json> start(Call& call, const Start& arguments) {
  TRY_ASSIGN(const std::string id, call.session.jobs.start([&] {
    return start_job(call, arguments, kMostOutput, arguments.keep_stdin_open);
  }));
  return Json{{"id", id}};
}

Result<Json> read(Call& call, const Read& arguments) {
  TRY_ASSIGN(const auto job, call.session.jobs.find(arguments.id));
  job->wait_for_more(arguments.after, std::chrono::steady_clock::now() + std::chrono::milliseconds(arguments.wait_ms),
                     call.stop);
  return state_of(*job, arguments.after);
}

Result<Json> write(Call& call, const Write& arguments) {
  TRY_ASSIGN(const auto job, call.session.jobs.find(arguments.id));
  if (job->end()) return fail(Code::kConflict, "the command has ended");
  TRY(job->write(arguments.data));
  if (arguments.end) TRY(job->end_input());
  job->wait_until_sent(call.stop);
  return Json{{"written", arguments.data.size()}};
}

Result<Json> signal(Call& call, const Signal& arguments) {
  TRY_ASSIGN(const auto job, call.session.jobs.find(arguments.id));
  if (job->end()) return fail(Code::kConflict, "the command has ended");
  TRY(job->signal(number_of(arguments.signal)));
  return Json{{"sent", word_of(arguments.signal)}};
}

const Tool kExecTools[] = {
    {.name = "sandbox_exec",
     .title = "Run command",
     .description = "Run a command in a sandbox, wait for its end, and return its exit code and output.",
     .notes = kCommandNotes,
     .schema = schema_of_arguments<Exec>,
     .run = run_tool<Exec, exec>},
    {.name = "exec_start",
     .title = "Start command",
     .description =
         "Start a command in a sandbox and return its id at once, for exec_read, exec_write and exec_signal. "
         "It is killed when this server ends.",
     .notes = kCommandNotes,
     .schema = schema_of_arguments<Start>,
     .run = run_tool<Start, start>},
    {.name = "exec_read",
     .title = "Read output",
     .description = "Output of a command since a position, and its exit code when it has ended. The last MiB is kept.",
     .notes = kReadNotes,
     .reads_only = true,
     .schema = schema_of_arguments<Read>,
     .run = run_tool<Read, read>},
    {.name = "exec_write",
     .title = "Write input",
     .description = "Send text to the standard input of a command that was started with keep_stdin_open.",
     .notes = kWriteNotes,
     .schema = schema_of_arguments<Write>,
     .run = run_tool<Write, write>},
    {.name = "exec_signal",
     .title = "Send signal",
     .description = "Send a signal to a command that exec_start has started.",
     .notes = kSignalNotes,
     .schema = schema_of_arguments<Signal>,
     .run = run_tool<Signal, signal>},
};

}  // namespace

std::span<const Tool> exec_tools() { return kExecTools; }

}  // namespace sbx::cli::mcp
