// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "idmap/idmap.h"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "base/file.h"
#include "idmap/subids.h"

namespace sbx::idmap {
namespace {

// newuidmap and newgidmap with their arguments, prepared while allocating is still allowed.
struct Mapper {
  std::string program;
  std::vector<std::string> arguments;  // [0] the name, [1] the process id, then triples
  std::vector<char*> argv;
  std::array<char, 16> pid{};

  Mapper(const std::string& path, const std::vector<Range>& ranges) : program(path), arguments{path, ""} {
    for (const Range& range : ranges)
      for (const std::uint32_t value : {range.inside, range.outside, range.count})
        arguments.push_back(std::to_string(value));
    for (auto& argument : arguments) argv.push_back(argument.data());
    argv[1] = pid.data();
    argv.push_back(nullptr);
  }
};

struct Mappers {
  Mapper uids;
  Mapper gids;
};

Result<std::string> helper(const std::string& name) {
  for (const char* directory : {"/usr/bin/", "/usr/local/bin/", "/bin/"})
    if (::access((directory + name).c_str(), X_OK) == 0) return directory + name;
  return fail(Code::kUnavailable, name + " is not installed", "sudo apt-get install uidmap");
}

Result<std::unique_ptr<Mappers>> mappers_for(const IdMap& map) {
  TRY_ASSIGN(const std::string newuidmap, helper("newuidmap"));
  TRY_ASSIGN(const std::string newgidmap, helper("newgidmap"));
  return std::unique_ptr<Mappers>(new Mappers{{newuidmap, map.uids}, {newgidmap, map.gids}});
}

// A child of ours that becomes the mapper as soon as `go` reports its end of file.
pid_t fork_mapper(Mapper& mapper, pid_t target, const std::array<int, 2>& go) {
  std::snprintf(mapper.pid.data(), mapper.pid.size(), "%d", target);
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  ::close(go[1]);
  char byte = 0;
  (void)!::read(go[0], &byte, 1);
  char* environment[] = {nullptr};
  ::execve(mapper.program.c_str(), mapper.argv.data(), environment);
  ::_exit(127);
}

int outcome_of(pid_t mapper) {
  int status = 0;
  if (mapper < 0) return EAGAIN;
  while (::waitpid(mapper, &status, 0) < 0)
    if (errno != EINTR) return errno;
  return status == 0 ? 0 : EPERM;
}

// Async-signal-safe, because it also runs between fork and exec. The mappers are forked before the namespace is
// entered, because only from outside may they write its maps. Returns 0 or an errno.
int enter(Mappers& mappers, int more_flags) {
  // The mappers take a process for its user's own only if it is dumpable, which the daemon's children are not.
  if (::prctl(PR_SET_DUMPABLE, 1) != 0) return errno;
  std::array<int, 2> go{};
  if (::pipe2(go.data(), O_CLOEXEC) != 0) return errno;
  const pid_t self = ::getpid();
  const pid_t uids = fork_mapper(mappers.uids, self, go);
  const pid_t gids = fork_mapper(mappers.gids, self, go);
  const int failed = ::unshare(CLONE_NEWUSER | more_flags) != 0 ? errno : 0;
  ::close(go[1]);
  ::close(go[0]);
  const int uids_failed = outcome_of(uids);
  const int gids_failed = outcome_of(gids);
  return failed != 0 ? failed : uids_failed != 0 ? uids_failed : gids_failed;
}

int become_root() {
  if (::setresgid(0, 0, 0) != 0 || ::setgroups(0, nullptr) != 0 || ::setresuid(0, 0, 0) != 0) return errno;
  return 0;
}

}  // namespace

bool privileged() { return ::geteuid() == 0; }

Result<IdMap> rootless_map() {
  TRY_ASSIGN(const auto uids, subordinate_ids("/etc/subuid", ::getuid()));
  TRY_ASSIGN(const auto gids, subordinate_ids("/etc/subgid", ::getuid()));
  TRY_ASSIGN(auto uid_ranges, map_around_agent(uids, ::getuid()));
  TRY_ASSIGN(auto gid_ranges, map_around_agent(gids, ::getgid()));
  return IdMap{std::move(uid_ranges), std::move(gid_ranges)};
}

IdMap privileged_map(std::uint32_t base, const Owner& agent) {
  const auto around = [base](std::uint32_t owner) {
    if (owner == 0) return std::vector<Range>{{0, base, kGuestIds}};
    return std::vector<Range>{
        {0, base, kAgent}, {kAgent, owner, 1}, {kAgent + 1, base + kAgent + 1, kGuestIds - kAgent - 1}};
  };
  return IdMap{around(agent.uid), around(agent.gid)};
}

Result<> enter_rootless(int more_flags) {
  TRY_ASSIGN(const IdMap map, rootless_map());
  TRY_ASSIGN(const auto mappers, mappers_for(map));
  if (const int error = enter(*mappers, more_flags); error != 0)
    return fail(Error::from_errno("make a user namespace", error).with_hint("sandbox diagnose"));
  return Ok{};
}

Result<Child> start_as_guest_root(Command command) {
  if (privileged()) return Child::start(command);
  TRY_ASSIGN(const IdMap map, rootless_map());
  TRY_ASSIGN(std::shared_ptr<Mappers> mappers, mappers_for(map));
  command.before_exec = [mappers, inner = command.before_exec] {
    if (const int error = enter(*mappers, 0); error != 0) return error;
    if (const int error = become_root(); error != 0) return error;
    return inner ? inner() : 0;
  };
  return Child::start(command);
}

Result<> remove_guest_tree(const std::string& path) {
  if (!exists(path)) return Ok{};
  if (privileged()) return remove_tree(path);
  // Our own files go first and without a helper; what is left belongs to guest ids.
  if (remove_tree(path)) return Ok{};
  TRY_ASSIGN(Pipe err, make_pipe());
  Command command;
  // Our own remove_tree cannot run there without a program of its own; rm follows no links either.
  command.argv = {"rm", "-rf", "--one-file-system", "--", path};
  command.stderr_fd = err.write.get();
  TRY_ASSIGN(Child child, start_as_guest_root(command));
  err.write.reset();
  TRY_ASSIGN(const std::string complaint, read_all(err.read, 1u << 20));
  TRY_ASSIGN(const Exit exit, child.wait());
  if (exit.code != 0) return fail(Code::kInternal, "remove " + path + ": " + complaint);
  return Ok{};
}

}  // namespace sbx::idmap
