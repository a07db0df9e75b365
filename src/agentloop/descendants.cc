// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/descendants.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"

namespace sbx::agentloop {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks(10);

constexpr std::size_t kParentField = 1;  // of those after the name
constexpr std::size_t kStartedField = 19;

struct Listed {
  pid_t parent;
  Process process;
};

// "PID (name) STATE PPID ...": the name may have blanks and parentheses in it. Zombies have nothing to end, but
// children that are not reaped yet.
std::optional<Listed> listed(const std::string& name) {
  const auto pid = parse_integer(name);
  const auto stat = pid ? read_file("/proc/" + name + "/stat") : Result<std::string>("");
  const auto name_end = stat ? stat->rfind(')') : std::string::npos;
  if (name_end == std::string::npos) return std::nullopt;
  const auto fields = split(std::string_view(*stat).substr(name_end + 2), ' ');
  const auto parent = fields.size() > kStartedField ? parse_integer(fields[kParentField]) : std::nullopt;
  if (!parent) return std::nullopt;
  return Listed{static_cast<pid_t>(*parent), {static_cast<pid_t>(*pid), std::string(fields[kStartedField])}};
}

using Children = std::multimap<pid_t, Process>;  // by their parent

Children all_children() {
  Children children;
  for (const std::string& name : names_in("/proc"))
    if (const auto found = listed(name)) children.emplace(found->parent, found->process);
  return children;
}

std::vector<pid_t> descendants(const std::set<Process>& spared) {
  const Children children = all_children();
  std::vector<pid_t> found{::getpid()};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [begin, end] = children.equal_range(found[i]);
    for (auto child = begin; child != end; ++child)
      if (!spared.contains(child->second)) found.push_back(child->second.pid);
  }
  found.erase(found.begin());
  return found;
}

}  // namespace

std::set<Process> own_children() {
  std::set<Process> own;
  const Children children = all_children();
  const auto [begin, end] = children.equal_range(::getpid());
  for (auto child = begin; child != end; ++child) own.insert(child->second);
  return own;
}

void reap_children() {
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
}

Result<> end_descendants(const std::set<Process>& spared, std::chrono::milliseconds limit) {
  for (const SteadyTime deadline = steady_now() + limit;; std::this_thread::sleep_for(kBetweenLooks)) {
    reap_children();
    const std::vector<pid_t> all = descendants(spared);
    if (all.empty()) return Ok{};
    if (steady_now() > deadline)
      return fail(Code::kTimeout, std::to_string(all.size()) + " processes that the command has started do not end");
    for (const pid_t pid : all) ::kill(pid, SIGKILL);
  }
}

}  // namespace sbx::agentloop
