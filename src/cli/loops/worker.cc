// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/loops/worker.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <thread>

#include "agentloop/engine.h"
#include "agentloop/local_world.h"
#include "base/child.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/loops/sandbox_world.h"
#include "cli/terminal/terminal.h"
#include "cli/terminal/terminal_text.h"
#include "cli/views/output.h"

namespace sbx::cli {
namespace {

using agentloop::LoopFiles;
using agentloop::Settings;
using agentloop::State;

constexpr int kLockNumber = 3;
constexpr std::chrono::milliseconds kLook(50);
constexpr std::chrono::seconds kLongestForget(60);

Result<> run_engine(const Context& context, LoopFiles& files, State& state) {
  TRY_ASSIGN(const Settings settings, files.settings());
  TRY_ASSIGN(const Client client, context.client());
  const auto world = world_of(client, settings, files, {.is_cancelled = [&files] { return files.is_cancelled(); }});
  return agentloop::Engine(settings, state, *world, files).run();
}

// A failure is part of the state, so that `loop status` tells it; `loop resume` goes on from there.
Result<> note_failure(LoopFiles& files, State& state, const Error& error) {
  state.status = agentloop::Status::kEnded;
  state.outcome = agentloop::Outcome::kFailed;
  state.reason = error.what();
  state.ended_at = rfc3339(now());
  files.show(state.next(), "=== failed: " + printable(error.what()) + "\n");
  return files.save(state);
}

bool host_mode_is(std::string_view value) {
  const char* const wanted = std::getenv("AGENT_LOOP_HOST");
  return wanted != nullptr && wanted == value;
}

// What the log has from a byte on; gives where it ends.
Result<std::int64_t> show_from(const Context& context, const LoopFiles& files, std::int64_t from, TerminalText& text) {
  const bool is_shown = is_terminal(context.streams.out);
  const auto log = open_path(files.log(), O_RDONLY);
  for (; log;) {
    std::array<char, 65536> bytes;
    const ssize_t n = ::pread(log->get(), bytes.data(), bytes.size(), from);
    if (n <= 0) break;
    from += n;
    const std::string_view piece(bytes.data(), static_cast<std::size_t>(n));
    TRY(write_all(context.streams.out, is_shown ? text.shown(piece) : std::string(piece)));
  }
  return from;
}

}  // namespace

// Only a user who asked for it has them run here.
std::unique_ptr<agentloop::World> world_of(const Client& client, const Settings& settings, const LoopFiles& files,
                                           const AskLimits& limits) {
  if (settings.sandbox.empty()) return std::make_unique<agentloop::LocalWorld>(files.directory() + "/turns");
  return std::make_unique<SandboxWorld>(client, settings.sandbox, limits);
}

Result<std::string> loops_home() {
  TRY_ASSIGN(const Home home, Home::find());
  return home.root();
}

bool wants_host_mode() { return host_mode_is("1"); }
bool refuses_host_mode() { return host_mode_is("0"); }

void warn_of_host_mode(const std::string& what) {
  note("********************************************************************");
  note("*** HOST MODE: " + printable(what) + " runs on this host, in no sandbox,");
  note("*** with all your files, keys and network.");
  note("********************************************************************");
}

Result<> start_worker(const Context& context, const LoopFiles& files, const std::string& id, Fd lock) {
  TRY_ASSIGN(const Fd log, open_path(files.directory() + "/worker.log", O_WRONLY | O_CREAT | O_APPEND));
  TRY_ASSIGN(const std::string program, canonical_path("/proc/self/exe"));
  Command command;
  command.argv = {program};
  if (!context.socket.empty()) command.argv.insert(command.argv.end(), {"--socket", context.socket});
  command.argv.insert(command.argv.end(), {"loop", "__work", id});
  command.directory = "/";
  command.stdout_fd = log.get();
  command.stderr_fd = log.get();
  command.passed_fds = {lock.get()};
  command.before_exec = [] { return ::setsid() < 0 ? errno : 0; };
  TRY_ASSIGN(Child worker, Child::start(command));
  worker.release();
  return Ok{};
}

Result<int> work(const Context& context, const std::string& id) {
  // No program that the loop starts may hold the lock after it.
  if (::fcntl(kLockNumber, F_SETFD, FD_CLOEXEC) != 0)
    return fail(Code::kInvalid, "this command is for a loop's own process");
  const Fd lock(kLockNumber);
  TRY_ASSIGN(const std::string home, loops_home());
  TRY_ASSIGN(LoopFiles files, LoopFiles::open(home, id));
  TRY_ASSIGN(State state, files.state());
  if (state.status == agentloop::Status::kEnded) return 0;
  const auto ran = run_engine(context, files, state);
  if (!ran) TRY(note_failure(files, state, ran.error()));
  return exit_code_of(files);
}

Result<> show_log(const Context& context, const LoopFiles& files) {
  TerminalText text;
  TRY(show_from(context, files, 0, text));
  return write_all(context.streams.out, text.rest());
}

Result<> follow_log(const Context& context, const LoopFiles& files, std::int64_t from) {
  TerminalText text;
  for (;;) {
    const bool runs = files.is_run();  // before the last look, so that nothing is missed
    TRY_ASSIGN(from, show_from(context, files, from, text));
    if (!runs) return write_all(context.streams.out, text.rest());
    std::this_thread::sleep_for(kLook);
  }
}

Result<> wait_for_worker(const LoopFiles& files, std::chrono::seconds limit) {
  for (const SteadyTime deadline = steady_now() + limit; files.is_run(); std::this_thread::sleep_for(kLook))
    if (steady_now() > deadline) return fail(Code::kTimeout, "the loop does not end");
  return Ok{};
}

Result<> cancel_loop(const Context& context, const LoopFiles& files, const std::string& id,
                     std::chrono::seconds limit) {
  TRY_ASSIGN(const State state, files.state());
  if (state.status == agentloop::Status::kEnded) return Ok{};
  TRY(files.want_cancel(true));
  // One that was interrupted has perhaps left its agent running: a process of its own ends that, too.
  auto lock = files.take_lock();
  if (!lock && lock.error().code() != Code::kConflict) return fail(Error(lock.error()));
  if (lock) TRY(start_worker(context, files, id, std::move(*lock)));
  return wait_for_worker(files, limit);
}

namespace {

Result<> forget_commits(const Context& context, const LoopFiles& files) {
  TRY_ASSIGN(const State state, files.state());
  if (state.begin.commit.empty()) return Ok{};
  TRY_ASSIGN(const agentloop::Settings settings, files.settings());
  TRY_ASSIGN(const Client client, context.client());
  const auto world = world_of(client, settings, files, {.longest = kLongestForget});
  return agentloop::Checkpoints(*world, settings.id, agentloop::working_directory(settings)).forget();
}

}  // namespace

void remove_refs(const Context& context, const LoopFiles& files) {
  const auto forgotten = forget_commits(context, files);
  if (!forgotten) note("its commits stay in the repository: " + printable(forgotten.error().what()));
}

Result<int> exit_code_of(const LoopFiles& files) {
  TRY_ASSIGN(const State state, files.state());
  return state.outcome == agentloop::Outcome::kComplete ? 0 : 1;
}

}  // namespace sbx::cli
