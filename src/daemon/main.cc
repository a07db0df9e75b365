// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "base/descriptor_limit.h"
#include "base/fault_points.h"
#include "base/format.h"
#include "base/home.h"
#include "base/log.h"
#include "daemon/instance.h"
#include "daemon/notify.h"
#include "daemon/options.h"
#include "daemon/secrecy.h"
#include "daemon/wiring.h"
#include "secrets/daemon_environment.h"
#include "version.h"

namespace sbx::daemon {
namespace {

constexpr std::chrono::seconds kOtherDaemon{60};
constexpr std::int64_t kLargestLog = 16 << 20;  // more than what rotate_log keeps: in between it is cut

// In every thread, so before the first: sigwait in main is the only place where they arrive.
sigset_t block_ending_signals() {
  sigset_t ending;
  sigemptyset(&ending);
  for (const int number : {SIGTERM, SIGINT}) sigaddset(&ending, number);
  ::pthread_sigmask(SIG_BLOCK, &ending, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGHUP, SIG_IGN);
  return ending;
}

// To the client that started us.
Result<> announce(const Options& options) {
  if (!options.ready_fd) return Ok{};
  return write_all(Fd(*options.ready_fd), "\n");
}

// To the systemd that started us. One that waits for the program which a client of ours runs in is not meant.
void tell_systemd(const Options& options, const std::string& socket) {
  if (options.ready_fd) return;
  if (const auto told = notify_ready(socket); !told) log_error("{}", told.error().what());
}

Result<Home> home_of(const Options& options) { return options.home.empty() ? Home::find() : Home(options.home); }

// The lock, or nothing when another daemon serves this home already.
Result<std::optional<Fd>> become_the_daemon(const Home& home) {
  for (;;) {
    TRY_ASSIGN(auto lock, take_instance_lock(home));
    if (lock) return lock;
    TRY_ASSIGN(const bool serves, await_other(home, kOtherDaemon));
    if (serves) return std::optional<Fd>();
  }
}

Result<> serve(const Options& options) {
  const std::string notify_socket = take_notify_socket();
  TRY(keep_memory_private());
  auto environment = secrets::take_environment_secrets();
  TRY_ASSIGN(const Home home, home_of(options));
  TRY(prepare_home(home));
  TRY_ASSIGN(const auto lock, become_the_daemon(home));
  if (!lock) return announce(options);  // and not systemd: that other one is not its own, and it tries again
  TRY(rotate_log(home));
  raise_descriptor_limit();
  bound_log(kLargestLog);
  const sigset_t ending = block_ending_signals();
  TRY_ASSIGN(auto wiring, Wiring::create(home, std::move(environment), [] { ::kill(::getpid(), SIGTERM); }));
  log_info("sandboxd {} serves {}", SANDBOXD_VERSION, home.socket());
  TRY(announce(options));
  tell_systemd(options, notify_socket);
  int number = 0;
  ::sigwait(&ending, &number);
  log_info("sandboxd ends (signal {}); sandboxes run on", number);
  ::unlink(home.socket().c_str());
  // Whatever is still being worked on can be killed at any point: the next daemon takes it up.
  if (!wiring->stop()) ::_exit(0);
  return Ok{};
}

void print_fault_points() {
  for (const FaultPoint& point : fault_points())
    std::fputs(sbx::format("{} {}\n", point.name, point.process).c_str(), stdout);
}

Result<> run(const Options& options) {
  if (options.show_help) return std::fputs(usage().c_str(), stdout), Ok{};
  if (options.show_version)
    return std::fputs(sbx::format("sandboxd {} {}\n", SANDBOXD_VERSION, SANDBOXD_COMMIT).c_str(), stdout), Ok{};
  if (options.show_fault_points) return print_fault_points(), Ok{};
  set_debug_log(options.debug);
  ::umask(022);
  return serve(options);
}

int main_with(const std::vector<std::string>& arguments) {
  const auto options = parse_options(arguments);
  const auto done = options ? run(*options) : fail(options.error());
  if (done) return 0;
  log_error("{}", done.error().what());
  if (!done.error().hint().empty()) log_error("try: {}", done.error().hint());
  return done.error().code() == Code::kInvalid ? 2 : 125;
}

}  // namespace
}  // namespace sbx::daemon

int main(int argc, char** argv) { return sbx::daemon::main_with({argv + 1, argv + argc}); }
