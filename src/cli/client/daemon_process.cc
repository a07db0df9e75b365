// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/client/daemon_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>

#include "base/child.h"
#include "base/file.h"
#include "base/format.h"
#include "base/poll.h"
#include "base/socket.h"
#include "base/text.h"

namespace sbx::cli {
namespace {

constexpr std::chrono::seconds kPatience(10);
constexpr int kMostDaemonStarts = 3;
constexpr std::size_t kLargestLock = 256;
constexpr std::string_view kUnitGroup = "/sandboxd.service";  // packaging/sandboxd.service.in

std::string last_line(const std::string& path, off_t from) {
  const std::string log = read_file(path).value_or("");
  const std::string_view ours = std::string_view(log).substr(std::min(log.size(), static_cast<std::size_t>(from)));
  const std::string_view text = trimmed(ours);
  return printable(text.substr(text.find_last_of('\n') + 1));
}

Error not_started(const Home& home, off_t log_begin, const std::string& why) {
  std::string said = last_line(home.log(), log_begin);
  return Error(Code::kUnavailable, "start sandboxd: " + (said.empty() ? why : said), "less " + home.log());
}

// True: it wrote its line. False: it closed the pipe, which it does when it ends.
Result<bool> wait_for_line(const Fd& ready) {
  TRY_ASSIGN(const bool told, wait_readable(ready, steady_now() + kPatience));
  if (!told) return fail(Code::kTimeout, "it did not answer in time");
  char byte = 0;
  const ssize_t got = ::read(ready.get(), &byte, 1);
  return got < 0 ? Result<bool>(fail_errno("wait for sandboxd")) : got == 1;
}

Result<Child> launch(const std::string& program, const Fd& ready, const Fd& log) {
  Command command;
  command.argv = {program, "--ready-fd", "3"};
  command.directory = "/";
  command.stdout_fd = log.get();
  command.stderr_fd = log.get();
  command.passed_fds = {ready.get()};
  command.before_exec = [] { return ::setsid() < 0 ? errno : 0; };
  return Child::start(command);
}

// Nothing: it serves, or another one does.
Result<std::optional<Exit>> start_once(const Home& home, const Fd& log, off_t log_begin) {
  TRY_ASSIGN(const std::string program, own_program("sandboxd"));
  TRY_ASSIGN(Pipe ready, make_pipe());
  TRY_ASSIGN(Child daemon, launch(program, ready.write, log));
  ready.write.reset();
  const auto serves = wait_for_line(ready.read);
  if (!serves) return fail(not_started(home, log_begin, serves.error().what()));
  if (*serves) {
    daemon.release();
    return std::optional<Exit>();
  }
  // It has ended, or is about to: with status 0 because another one serves.
  TRY_ASSIGN(const Exit exit, daemon.wait());
  return exit.code == 0 ? std::optional<Exit>() : exit;
}

// The last part of a process's control group is the unit that systemd started it for.
bool is_of_unit(pid_t process) {
  const auto groups = read_file(sbx::format("/proc/{}/cgroup", process));
  if (!groups) return false;
  const auto lines = split(*groups, '\n');
  return std::any_of(lines.begin(), lines.end(), [](std::string_view line) { return line.ends_with(kUnitGroup); });
}

std::string identity_of(const struct stat& file) { return sbx::format("{} {}\n", file.st_dev, file.st_ino); }

// As it says in its lock file; one of an older version says nothing there, and lets itself be looked at.
std::string program_of_daemon(const Fd& connection, const Home& home) {
  const std::string noted = read_file(home.lock(), kLargestLock).value_or("");
  if (!noted.empty()) return noted;
  const auto peer = peer_of(connection);
  struct stat running {};
  if (!peer || ::stat(sbx::format("/proc/{}/exe", peer->pid).c_str(), &running) != 0) return {};
  return identity_of(running);
}

}  // namespace

bool is_outdated(const Fd& connection, const Home& home) {
  const auto program = own_program("sandboxd");
  struct stat installed {};
  if (!program || ::stat(program->c_str(), &installed) != 0) return false;
  const std::string running = program_of_daemon(connection, home);
  return !running.empty() && running != identity_of(installed);
}

bool restart_by_systemd(const Fd& connection) {
  const auto peer = peer_of(connection);
  if (!peer || !is_of_unit(peer->pid)) return false;
  const auto restarted = run({.argv = {"systemctl", "--user", "restart", "sandboxd.service"}});
  return restarted && restarted->exit.code == 0;
}

Result<> end_daemon(const Fd& connection) {
  TRY_ASSIGN(const Peer peer, peer_of(connection));
  TRY_ASSIGN(const Fd process, open_pidfd(peer.pid));
  if (::syscall(SYS_pidfd_send_signal, process.get(), SIGTERM, nullptr, 0) != 0) return fail_errno("end the daemon");
  TRY_ASSIGN(const bool ended, wait_readable(process, steady_now() + kPatience));
  return ended ? Result<>() : fail(Code::kTimeout, "the daemon did not end in time");
}

Result<> start_daemon(const Home& home) {
  TRY(make_directories(home.root(), 0700));
  TRY_ASSIGN(const Fd log, open_path(home.log(), O_WRONLY | O_CREAT | O_APPEND, 0600));
  const off_t log_begin = ::lseek(log.get(), 0, SEEK_END);
  for (int starts = 1;; ++starts) {
    TRY_ASSIGN(const auto ended, start_once(home, log, log_begin));
    if (!ended) return Ok{};
    const bool killed = ended->signal != 0;
    if (!killed || starts == kMostDaemonStarts)
      return fail(not_started(home, log_begin, "it ended with status " + std::to_string(ended->code)));
  }
}

}  // namespace sbx::cli
