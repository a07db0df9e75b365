// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/group.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <set>

#include "agentloop/descendants.h"
#include "base/child.h"
#include "base/clock.h"
#include "base/poll.h"

namespace sbx::agentloop {
namespace {

constexpr std::chrono::milliseconds kTick(100);
constexpr std::chrono::milliseconds kGrace(2000);
constexpr std::chrono::milliseconds kSilence(200);
constexpr std::chrono::seconds kLastWords(2);
constexpr std::chrono::seconds kTreeEnds(5);

using OnOutput = std::function<Result<>(bool is_error, std::string_view bytes)>;

std::vector<std::string> environment_of(const Turn& turn) {
  std::vector<std::string> all;
  for (char** variable = environ; *variable != nullptr; ++variable) all.emplace_back(*variable);
  for (const auto& [name, value] : turn.environment) {
    const std::string start = name + "=";
    std::erase_if(all, [&start](const std::string& entry) { return entry.starts_with(start); });
    all.push_back(start + value);
  }
  return all;
}

class Group {
 public:
  Group(Child child, Fd out, Fd err, const Turn& turn, std::set<Process> spared, const OnOutput& on_output)
      : child_(std::move(child)),
        out_(std::move(out)),
        err_(std::move(err)),
        turn_(turn),
        spared_(std::move(spared)),
        on_output_(on_output) {}

  Result<TurnResult> run(const IsCancelled& is_cancelled) {
    while (!is_over()) {
      TRY(step());
      if (!exit_) consider(is_cancelled);
    }
    // What the program has left in its group would write to files that the next iteration works on.
    if (end_ != TurnEnd::kExited) ::kill(-child_pid_, SIGKILL);
    if (end_ != TurnEnd::kExited && turn_.whole_tree) TRY(end_descendants(spared_, kTreeEnds));
    if (turn_.whole_tree) reap_children();
    const auto duration = std::chrono::duration_cast<std::chrono::milliseconds>(steady_now() - started_);
    return TurnResult{exit_->code, end_, duration.count()};
  }

 private:
  // What it has left behind may write on for ever: that is not waited for.
  bool is_over() const {
    if (!exit_) return false;
    const SteadyTime time = steady_now();
    return (!out_ && !err_) || time >= heard_of_ + kSilence || time >= exited_ + kLastWords;
  }

  Result<> step() {
    pollfd watched[] = {{exit_ ? -1 : child_.pidfd().get(), POLLIN, 0},
                        {out_ ? out_.get() : -1, POLLIN, 0},
                        {err_ ? err_.get() : -1, POLLIN, 0}};
    TRY(poll_until(watched, steady_now() + kTick));
    if (watched[1].revents != 0) TRY(read_some(out_, false));
    if (watched[2].revents != 0) TRY(read_some(err_, true));
    if (watched[0].revents != 0) {
      TRY_ASSIGN(exit_, child_.wait());
      heard_of_ = exited_ = steady_now();
    }
    return Ok{};
  }

  Result<> read_some(Fd& fd, bool is_error) {
    std::array<char, 65536> bytes;
    const ssize_t n = ::read(fd.get(), bytes.data(), bytes.size());
    if (n < 0) return errno == EINTR || errno == EAGAIN ? Result<>() : fail_errno("read the output of a program");
    if (n == 0) {
      fd.reset();
      return Ok{};
    }
    heard_of_ = steady_now();
    return on_output_(is_error, {bytes.data(), static_cast<std::size_t>(n)});
  }

  // Whether it has to end, and by which signal now.
  void consider(const IsCancelled& is_cancelled) {
    const SteadyTime time = steady_now();
    if (end_ != TurnEnd::kExited) {
      if (time > told_ + kGrace) ::kill(-child_pid_, SIGKILL);
      return;
    }
    const auto over = [&](std::chrono::milliseconds limit, SteadyTime since) {
      return limit.count() > 0 && time >= since + limit;
    };
    if (is_cancelled())
      end_ = TurnEnd::kCancelled;
    else if (over(turn_.timeout, started_))
      end_ = TurnEnd::kTimeout;
    else if (over(turn_.idle, heard_of_))
      end_ = TurnEnd::kIdle;
    if (end_ == TurnEnd::kExited) return;
    told_ = time;
    ::kill(-child_pid_, SIGTERM);
  }

  Child child_;
  pid_t child_pid_ = child_.pid();
  Fd out_;
  Fd err_;
  const Turn& turn_;
  std::set<Process> spared_;  // what was there before it
  const OnOutput& on_output_;
  SteadyTime started_ = steady_now();
  SteadyTime heard_of_ = started_;
  SteadyTime told_{};
  SteadyTime exited_{};
  TurnEnd end_ = TurnEnd::kExited;
  std::optional<Exit> exit_;
};

}  // namespace

Result<TurnResult> run_group(const Turn& turn, const OnOutput& on_output, const IsCancelled& is_cancelled) {
  TRY_ASSIGN(Pipe out, make_pipe());
  TRY_ASSIGN(Pipe err, make_pipe());
  // What the command starts in a session of its own is a child of ours when its parent has ended, and not of init's.
  if (turn.whole_tree && ::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return fail_errno("look after what a command starts");
  std::set<Process> spared = turn.whole_tree ? own_children() : std::set<Process>();
  Command command;
  command.argv = turn.command;
  if (turn.with_input) command.stdin_fd = STDIN_FILENO;
  command.environment = environment_of(turn);
  command.directory = turn.directory;
  command.stdout_fd = out.write.get();
  command.stderr_fd = err.write.get();
  // With us it ends too, so that an agent whose loop was killed does not go on beside the one that is begun anew.
  command.before_exec = [parent = ::getpid()] {
    if (::setsid() < 0) return errno;
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
    return ::getppid() == parent ? 0 : ESRCH;
  };
  auto child = Child::start(command);
  if (!child) {
    const bool missing = child.error().code() == Code::kNotFound;
    TRY(on_output(true, child.error().what() + "\n"));
    return TurnResult{missing ? 127 : 126, TurnEnd::kExited, 0};
  }
  out.write.reset();
  err.write.reset();
  Group group(std::move(*child), std::move(out.read), std::move(err.read), turn, std::move(spared), on_output);
  return group.run(is_cancelled);
}

}  // namespace sbx::agentloop
