// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/oci/runtime.h"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>

#include "backends/oci/cgroup.h"
#include "base/child.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/lock.h"
#include "base/start_limit.h"
#include "base/text.h"

namespace sbx::backends::oci {
namespace {

constexpr auto kEndLimit = std::chrono::seconds(10);

// Held by the runtime as long as it lives, because it inherits the open, locked file.
std::string lock_path(const std::string& runtime_directory) { return runtime_directory + "/lock"; }

Result<Fd> take_lock(const std::string& runtime_directory) {
  TRY_ASSIGN(Fd file, open_path(lock_path(runtime_directory), O_RDWR | O_CREAT | O_NOFOLLOW, 0600));
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return fail_errno("lock " + lock_path(runtime_directory));
  return file;
}

// The runtime wants to be root of the namespace that we are in; for root this changes nothing. That comes first: the
// kernel forgets whom to tell of a parent's death when a process becomes another user.
int become_runtime(pid_t parent) {
  if (::setresgid(0, 0, 0) != 0 || ::setgroups(0, nullptr) != 0 || ::setresuid(0, 0, 0) != 0) return errno;
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
  return ::getppid() == parent ? 0 : ESRCH;
}

std::string installed(const std::string& name) {
  for (const char* directory : {"/usr/local/sbin/", "/usr/local/bin/", "/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/"})
    if (::access((directory + name).c_str(), X_OK) == 0) return directory + name;
  return "";
}

bool accepts_host(const std::string& name) {
  return name != "crun" || Cgroups::detect().version() != Cgroups::Version::kHybrid;
}

// The runtime logs JSON lines; the last error is the reason.
std::string reason_in(const std::string& log_file) {
  const auto log = read_file(log_file);
  if (!log) return "no reason given";
  std::string reason = "no reason given";
  for (const auto& line : split(*log, '\n')) {
    const auto entry = parse_json(line);
    if (entry && entry->is_object() && entry->contains("msg") && (*entry)["msg"].is_string())
      reason = (*entry)["msg"].get<std::string>();
  }
  return printable(reason);
}

std::vector<std::string> arguments(const std::string& name, const std::string& program, const std::string& id,
                                   const std::string& bundle, const std::string& directory) {
  std::vector<std::string> argv{program, "--root", directory, "--log", directory + "/log", "--log-format", "json"};
  if (name == "runsc") argv.insert(argv.end(), {"--network=sandbox", "--host-uds=open"});
  argv.insert(argv.end(), {"run", "--detach", "--bundle", bundle, "--pid-file", directory + "/pid"});
  if (name == "runsc")
    argv.push_back("--pass-fd=3:3");
  else
    argv.insert(argv.end(), {"--preserve-fds", "1"});
  argv.push_back(id);
  return argv;
}

}  // namespace

Result<Runtime> Runtime::find(const std::vector<std::string>& names) {
  std::string refused;
  for (const auto& name : names) {
    const std::string program = installed(name);
    if (program.empty()) continue;
    if (accepts_host(name)) return Runtime(name, program);
    refused = name + " does not work with hybrid cgroups";
  }
  if (!refused.empty()) return fail(Code::kUnavailable, refused, "sudo apt-get install runc");
  // runsc is not in the distributions.
  const std::string hint =
      names.front() == "runsc" ? "install it from gvisor.dev" : "sudo apt-get install " + names.front();
  return fail(Code::kUnavailable, join(names, " or ") + " is not installed", hint);
}

Result<pid_t> Runtime::start(const std::string& id, const std::string& bundle, const std::string& runtime_directory,
                             const Fd& channel) const {
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return fail_errno("become the subreaper");
  TRY_ASSIGN(Fd lock, take_lock(runtime_directory));
  Command command;
  command.argv = arguments(name_, program_, id, bundle, runtime_directory);
  command.passed_fds = {channel.get(), lock.get()};  // of which the container gets the first
  command.environment = {
      {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "XDG_RUNTIME_DIR=" + runtime_directory}};
  command.before_exec = [parent = ::getpid()] { return become_runtime(parent); };
  TRY_ASSIGN(Child child, Child::start(command));
  const auto limit = start_limit();
  TRY_ASSIGN(const auto exit, child.wait_for(limit));
  if (!exit)
    return fail(Code::kTimeout, name_ + " did not start the container in " + std::to_string(limit.count()) + " s");
  if (exit->code != 0) return fail(Code::kInternal, name_ + ": " + reason_in(runtime_directory + "/log"));
  TRY_ASSIGN(const std::string text, read_file(runtime_directory + "/pid"));
  const auto pid = parse_integer(trimmed(text));
  if (!pid || *pid <= 1) return fail(Code::kInternal, name_ + " wrote a bad pid file");
  return static_cast<pid_t>(*pid);
}

Result<> Runtime::wait_for_end(const std::string& runtime_directory) {
  const std::string path = lock_path(runtime_directory);
  const auto file = open_path(path, O_RDONLY | O_NOFOLLOW);
  if (!file) return exists(path) ? fail(file.error()) : Result<>(Ok{});
  TRY_ASSIGN(const bool ended, lock_file_until(*file, path, steady_now() + kEndLimit));
  return ended ? Result<>() : fail(Code::kTimeout, "the runtime that holds " + path + " does not end");
}

}  // namespace sbx::backends::oci
