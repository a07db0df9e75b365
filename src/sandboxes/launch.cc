// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/launch.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>

#include "base/clock.h"
#include "base/fault.h"
#include "base/file.h"
#include "base/poll.h"
#include "base/text.h"
#include "base/value.h"
#include "sandboxes/shim_lock.h"
#include "wire/error.h"

namespace sbx::sandboxes {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kLongestReport = 64u << 10;
constexpr off_t kLargestLog = 1 << 20;

// A file in memory and not a pipe: the document may be larger than a pipe holds, and would need a thread to feed it.
Result<Fd> document(const backends::ShimInput& input) {
  Fd file(::memfd_create("shim-input", MFD_CLOEXEC));
  if (!file) return fail_errno("make a memory file");
  TRY(write_all(file, text_of(input) + "\n"));
  if (::lseek(file.get(), 0, SEEK_SET) != 0) return fail_errno("rewind a memory file");
  return file;
}

Result<Fd> open_log(const std::string& path) {
  TRY_ASSIGN(Fd log, open_path(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW));
  struct stat info {};
  if (::fstat(log.get(), &info) == 0 && info.st_size > kLargestLog && ::ftruncate(log.get(), 0) != 0)
    return fail_errno("truncate " + path);
  return log;
}

Result<Child> spawn(const std::string& program, const backends::ShimInput& what, const Fd& report) {
  const std::string& directory = what.machine.state_directory;
  TRY_ASSIGN(const Fd lock, take_shim_lock(directory));
  TRY_ASSIGN(const Fd input, document(what));
  TRY_ASSIGN(const Fd log, open_log(directory + "/shim.log"));
  Command command;
  command.argv = {program};
  command.directory = directory;
  command.stdin_fd = input.get();
  command.stdout_fd = report.get();
  command.stderr_fd = log.get();
  command.passed_fds = {lock.get()};
  // A session of its own, so that no terminal's or service's end reaches it.
  command.before_exec = [] { return ::setsid() < 0 ? errno : sign_shim_lock(); };
  return Child::start(command);
}

// One line, or what there is when the shim ends or time is up.
Result<std::string> read_report(const Fd& pipe, const Child& child, SteadyTime deadline) {
  std::string line;
  for (;;) {
    std::array<pollfd, 2> ready{{{pipe.get(), POLLIN, 0}, {child.pidfd().get(), POLLIN, 0}}};
    TRY_ASSIGN(const bool more, poll_until(ready, deadline));
    if (!more) return fail(Code::kTimeout, "the machine was not ready in time");
    if (ready[0].revents == 0) return line;  // it has ended
    std::array<char, 4096> buffer;
    const ssize_t n = ::read(pipe.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return line;
    line.append(buffer.data(), static_cast<std::size_t>(n));
    if (line.ends_with('\n')) return line;
    if (line.size() > kLongestReport) return fail(Code::kInternal, "the shim's report has no end");
  }
}

std::string last_line_of(const std::string& path) {
  const auto log = read_file(path, 4u << 20);
  if (!log) return {};
  const auto lines = split(trimmed(*log), '\n');
  return printable(lines.back().substr(0, 500));
}

// The shim said nothing: its exit and the last line of its log are all there is.
Failure silent_end(Child& child, const std::string& directory) {
  const auto exit = child.wait_for(std::chrono::seconds(1));
  std::string how = "ended without a word";
  if (exit && *exit)
    how = (*exit)->signal != 0 ? "was killed (signal " + std::to_string((*exit)->signal) + ")"
                               : "ended with status " + std::to_string((*exit)->code);
  const std::string last = last_line_of(directory + "/shim.log");
  return fail(Code::kInternal, "the shim " + how + (last.empty() ? "" : ": " + last), "see " + directory + "/shim.log");
}

Result<wire::ShimStatus> decode_report(const std::string& line) {
  TRY_ASSIGN(const Json report, parse_json(line));
  if (report.is_object() && report.contains("error")) return fail(wire::decode_error(report, 500));
  if (!report.is_object() || !report.contains("ready")) return fail(Code::kInternal, "the shim's report is not one");
  return value_of<wire::ShimStatus>(report["ready"], "shim status", Unknown::kIgnored);
}

}  // namespace

Result<Launched> launch(const std::string& program, const backends::ShimInput& input, milliseconds limit) {
  const SteadyTime deadline = steady_now() + limit;
  TRY_ASSIGN(Pipe report, make_pipe());
  TRY_ASSIGN(Child child, spawn(program, input, report.write));
  TRY(fault_step("start.spawned"));
  report.write.reset();
  TRY_ASSIGN(const std::string line, read_report(report.read, child, deadline));
  if (trimmed(line).empty()) return silent_end(child, input.machine.state_directory);
  TRY_ASSIGN(wire::ShimStatus status, decode_report(line));
  TRY_ASSIGN(Fd pidfd, duplicate(child.pidfd()));
  const pid_t pid = child.release();
  status.shim_pid = pid;
  return Launched{std::make_shared<const ShimProcess>(ShimProcess{pid, std::move(pidfd)}), std::move(status)};
}

}  // namespace sbx::sandboxes
