// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/exec/hold.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"

namespace sbx::guest {
namespace {

constexpr auto kStopLimit = std::chrono::seconds(10);
constexpr std::int64_t kKernelThread = 0x00200000;  // PF_KTHREAD

struct Task {
  pid_t pid = 0;
  pid_t parent = 0;
  char state = 'R';
  bool is_kernels = false;

  bool runs() const { return !is_kernels && state != 'T' && state != 't' && state != 'Z' && state != 'X'; }
};

// "7 (a name) S 1 7 7 0 -1 4194560 ...": the name may hold anything.
std::optional<Task> task_in(std::string_view stat) {
  const auto close = stat.rfind(')');
  const auto pid = parse_integer(trimmed(stat.substr(0, stat.find('('))));
  if (close == std::string_view::npos || !pid) return std::nullopt;
  const auto fields = split(trimmed(stat.substr(close + 1)), ' ');
  const auto parent = fields.size() > 6 ? parse_integer(fields[1]) : std::nullopt;
  const auto flags = fields.size() > 6 ? parse_integer(fields[6]) : std::nullopt;
  if (!parent || !flags || fields[0].size() != 1) return std::nullopt;
  return Task{static_cast<pid_t>(*pid), static_cast<pid_t>(*parent), fields[0][0], (*flags & kKernelThread) != 0};
}

std::vector<Task> tasks_in(const std::string& directory) {
  std::vector<Task> found;
  for (const std::string& name : names_in(directory)) {
    if (!parse_integer(name)) continue;
    const auto stat = read_file(directory + "/" + name + "/stat", 4096);
    if (const auto task = stat ? task_in(*stat) : std::nullopt) found.push_back(*task);
  }
  return found;
}

// How far below init. A process that ended meanwhile may be missing above it.
int depth_of(pid_t pid, const std::map<pid_t, pid_t>& parents) {
  int depth = 0;
  for (auto it = parents.find(pid); it != parents.end() && depth < 10'000; it = parents.find(it->second)) ++depth;
  return depth;
}

std::map<int, std::vector<pid_t>> running_by_depth() {
  const std::vector<Task> tasks = tasks_in("/proc");
  std::map<pid_t, pid_t> parents;
  for (const Task& task : tasks) parents.emplace(task.pid, task.parent);
  std::map<int, std::vector<pid_t>> levels;
  for (const Task& task : tasks)
    if (task.runs() && task.pid != 1 && task.pid != ::getpid()) levels[depth_of(task.pid, parents)].push_back(task.pid);
  return levels;
}

// Each of its threads.
bool stands_still(pid_t pid) {
  const auto threads = tasks_in("/proc/" + std::to_string(pid) + "/task");
  return std::ranges::none_of(threads, [](const Task& thread) { return thread.runs(); });
}

Result<> await_stop(pid_t pid, SteadyTime until) {
  while (!stands_still(pid)) {
    if (steady_now() > until)
      return fail(Code::kTimeout, "process " + std::to_string(pid) + " of the sandbox does not stop");
    const timespec moment{0, 1'000'000};
    ::nanosleep(&moment, nullptr);
  }
  return Ok{};
}

}  // namespace

Result<bool> Hold::stop_others() {
  const SteadyTime until = steady_now() + kStopLimit;
  bool found = false;
  for (const auto& [depth, pids] : running_by_depth()) {
    for (const pid_t pid : pids) {
      if (::kill(pid, SIGSTOP) != 0) continue;  // it has ended
      stopped_.push_back(pid);
      found = true;
    }
    for (const pid_t pid : pids) TRY(await_stop(pid, until));
  }
  return found;
}

// What was not stopped yet may have started more of its kind.
Result<Hold> Hold::all() {
  if (::geteuid() != 0) return fail(Code::kForbidden, "only root may hold a sandbox's processes");
  Hold hold;
  for (const SteadyTime until = steady_now() + kStopLimit; steady_now() < until;) {
    TRY_ASSIGN(const bool found, hold.stop_others());
    if (!found) return hold;
  }
  return fail(Code::kTimeout, "the sandbox starts processes faster than they can be stopped");
}

Hold::~Hold() {
  for (auto pid = stopped_.rbegin(); pid != stopped_.rend(); ++pid) ::kill(*pid, SIGCONT);
}

}  // namespace sbx::guest
