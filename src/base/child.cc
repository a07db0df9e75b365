// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/child.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "base/poll.h"

extern char** environ;

namespace sbx {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  out.reserve(strings.size() + 1);
  for (const auto& s : strings) out.push_back(const_cast<char*>(s.c_str()));
  out.push_back(nullptr);
  return out;
}

// PATH is searched before the fork because execvpe may allocate.
std::string resolved_program(const std::string& name) { return find_program(name).value_or(name); }

struct Plan {
  std::string program;
  std::vector<char*> argv;
  std::vector<char*> environment;
  std::vector<int> fds;  // index = number in the child
  Fd null;
};

Result<Plan> plan_for(const Command& command) {
  if (command.argv.empty()) return fail(Code::kInvalid, "start a process: empty argument list");
  TRY_ASSIGN(Fd null, open_path("/dev/null", O_RDWR));
  Plan plan{resolved_program(command.argv.front()), pointers(command.argv), {}, {}, std::move(null)};
  if (command.environment) plan.environment = pointers(*command.environment);
  for (const int fd : {command.stdin_fd, command.stdout_fd, command.stderr_fd})
    plan.fds.push_back(fd >= 0 ? fd : plan.null.get());
  plan.fds.insert(plan.fds.end(), command.passed_fds.begin(), command.passed_fds.end());
  return plan;
}

// Moves every descriptor out of the way first, so that no dup2 overwrites one that is still needed.
int arrange_descriptors(const std::vector<int>& fds) {
  std::array<int, 64> moved{};
  if (fds.size() > moved.size()) return E2BIG;
  for (std::size_t i = 0; i < fds.size(); ++i) {
    moved[i] = ::fcntl(fds[i], F_DUPFD_CLOEXEC, static_cast<int>(fds.size()));
    if (moved[i] < 0) return errno;
  }
  for (std::size_t i = 0; i < fds.size(); ++i)
    if (::dup2(moved[i], static_cast<int>(i)) < 0) return errno;
  // Belt and braces: whatever a library opened without O_CLOEXEC does not reach the child either.
  ::syscall(SYS_close_range, static_cast<unsigned>(fds.size()), UINT_MAX, 4u /* CLOSE_RANGE_CLOEXEC */);
  return 0;
}

void reset_signals() {
  for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) ::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void become(const Command& command, const Plan& plan, int report) {
  int error = 0;
  // The report pipe must survive arrange_descriptors, which claims the low numbers.
  const int reporter = ::fcntl(report, F_DUPFD_CLOEXEC, 100);
  reset_signals();
  if (!command.directory.empty() && ::chdir(command.directory.c_str()) != 0) error = errno;
  if (error == 0) error = arrange_descriptors(plan.fds);
  if (error == 0 && command.before_exec) error = command.before_exec();
  if (error == 0) {
    ::execve(plan.program.c_str(), plan.argv.data(), command.environment ? plan.environment.data() : environ);
    error = errno;
  }
  (void)!::write(reporter, &error, sizeof error);
  ::_exit(127);
}

pid_t fork_into(std::uint64_t namespaces) {
  clone_args arguments{};
  arguments.flags = namespaces;
  arguments.exit_signal = SIGCHLD;
  return static_cast<pid_t>(::syscall(SYS_clone3, &arguments, sizeof arguments));
}

}  // namespace

Exit Exit::from_wait_status(int status) {
  if (WIFSIGNALED(status)) return Exit{128 + WTERMSIG(status), WTERMSIG(status)};
  return Exit{WEXITSTATUS(status), 0};
}

std::optional<std::string> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return ::access(name.c_str(), X_OK) == 0 ? std::optional(name) : std::nullopt;
  const char* path = std::getenv("PATH");
  std::string rest = path != nullptr && *path != 0 ? path : "/usr/sbin:/usr/bin:/sbin:/bin";
  // An ordinary user's PATH often lacks the sbin directories where newuidmap's and runc's peers live.
  rest += ":/usr/local/sbin:/usr/sbin:/sbin";
  std::size_t begin = 0;
  while (begin <= rest.size()) {
    const std::size_t end = std::min(rest.find(':', begin), rest.size());
    const std::string candidate = rest.substr(begin, end - begin) + "/" + name;
    if (end > begin && ::access(candidate.c_str(), X_OK) == 0) return candidate;
    begin = end + 1;
  }
  return std::nullopt;
}

Result<Fd> open_pidfd(pid_t pid) {
  Fd fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!fd) return fail_errno("open a handle on process " + std::to_string(pid));
  return fd;
}

Result<Child> Child::start(const Command& command) {
  TRY_ASSIGN(const Plan plan, plan_for(command));
  TRY_ASSIGN(Pipe report, make_pipe());
  const pid_t pid = command.namespaces == 0 ? ::fork() : fork_into(command.namespaces);
  if (pid < 0) return fail_errno("fork");
  if (pid == 0) become(command, plan, report.write.get());
  report.write.reset();
  int error = 0;
  ssize_t n = 0;
  do {
    n = ::read(report.read.get(), &error, sizeof error);
  } while (n < 0 && errno == EINTR);
  if (n == sizeof error) {
    ::waitpid(pid, nullptr, 0);
    return fail_errno("run " + command.argv.front(), error);
  }
  auto pidfd = open_pidfd(pid);
  if (!pidfd) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return fail(std::move(pidfd).error());
  }
  return Child(pid, std::move(*pidfd));
}

Child::Child(Child&& other) noexcept : pid_(other.release()), pidfd_(std::move(other.pidfd_)) {}

Child& Child::operator=(Child&& other) noexcept {
  if (this != &other) {
    end();
    pidfd_ = std::move(other.pidfd_);
    pid_ = other.release();
  }
  return *this;
}

Child::~Child() { end(); }

void Child::end() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

pid_t Child::release() { return std::exchange(pid_, -1); }

Result<Exit> Child::wait() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0)
    if (errno != EINTR) return fail_errno("wait for process " + std::to_string(pid_));
  pid_ = -1;
  return Exit::from_wait_status(status);
}

Result<std::optional<Exit>> Child::wait_for(std::chrono::milliseconds limit) {
  TRY_ASSIGN(const bool ended, wait_readable(pidfd_, steady_now() + limit));
  if (!ended) return std::optional<Exit>();
  TRY_ASSIGN(const Exit exit, wait());
  return std::optional<Exit>(exit);
}

Result<> Child::signal(int number) {
  if (pid_ > 0 && ::kill(pid_, number) != 0) return fail_errno("signal process " + std::to_string(pid_));
  return Ok{};
}

namespace {

constexpr std::size_t kMostOutput = 16u << 20;
constexpr std::size_t kMostErrors = 64u << 10;

// Reads once; false at EOF.
bool drain(const Fd& fd, std::string& into, std::size_t most) {
  std::array<char, 65536> buffer;
  const ssize_t n = ::read(fd.get(), buffer.data(), buffer.size());
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  into.append(buffer.data(), static_cast<std::size_t>(n));
  if (into.size() > most) into.erase(0, into.size() - most);
  return n > 0;
}

}  // namespace

Result<RunOutput> run(Command command, std::chrono::milliseconds limit) {
  TRY_ASSIGN(Pipe out, make_pipe());
  TRY_ASSIGN(Pipe err, make_pipe());
  command.stdout_fd = out.write.get();
  command.stderr_fd = err.write.get();
  TRY_ASSIGN(Child child, Child::start(command));
  out.write.reset();
  err.write.reset();
  RunOutput output;
  const SteadyTime deadline = steady_now() + limit;
  while (out.read || err.read) {
    std::array<pollfd, 2> ready{{{out.read.get(), POLLIN, 0}, {err.read.get(), POLLIN, 0}}};
    TRY_ASSIGN(const bool more, poll_until(ready, deadline));
    // A program that never stops writing is always ready.
    if (!more || steady_now() > deadline) return fail(Code::kTimeout, command.argv.front() + " did not end in time");
    if (ready[0].revents != 0 && !drain(out.read, output.out, kMostOutput)) out.read.reset();
    if (ready[1].revents != 0 && !drain(err.read, output.err, kMostErrors)) err.read.reset();
  }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_now());
  TRY_ASSIGN(const auto exit, child.wait_for(left));
  if (!exit) return fail(Code::kTimeout, command.argv.front() + " did not end in time");
  output.exit = *exit;
  return output;
}

}  // namespace sbx
