// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/machine/jail.h"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>

#include "backends/mounting.h"
#include "base/capabilities.h"
#include "base/file.h"
#include "base/jail_root.h"

namespace sbx::backends::qemu {
namespace {

constexpr std::size_t kLongestComplaint = 4096;

std::string parent_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

Result<> mount_empty_root() {
  if (::mount("", "/", nullptr, MS_PRIVATE | MS_REC, nullptr) != 0) return fail_errno("detach the mounts");
  return mount_jail_root();
}

Result<> fill_root(const Jail& jail) {
  for (const std::string& directory : jail.directories) TRY(make_directories(kJailRoot + directory, 0755));
  for (const auto& [path, target] : jail.links)
    if (::symlink(target.c_str(), (kJailRoot + path).c_str()) != 0) return fail_errno("link " + path);
  for (const Jail::Placed& entry : jail.entries) {
    TRY(make_directories(parent_of(kJailRoot + entry.path), 0755));
    TRY(attach(entry.shared, kJailRoot + entry.path));
  }
  if (!jail.proc) return Ok{};
  TRY(make_directories(std::string(kJailRoot) + "/proc", 0755));
  const std::string proc = std::string(kJailRoot) + "/proc";
  if (::mount("proc", proc.c_str(), "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0)
    return fail_errno("mount /proc");
  return Ok{};
}

Result<> change_identity(const Jail& jail) {
  if (jail.user_namespace != nullptr && ::setns(jail.user_namespace->get(), CLONE_NEWUSER) != 0)
    return fail_errno("enter the user namespace");
  if (!jail.keeps_groups && ::setgroups(jail.groups.size(), jail.groups.data()) != 0) return fail_errno("set groups");
  if (::setresgid(jail.gid, jail.gid, jail.gid) != 0) return fail_errno("change the group id");
  if (::setresuid(jail.uid, jail.uid, jail.uid) != 0) return fail_errno("change the user id");
  return Ok{};
}

// Last, because a change of identity forgets it.
Result<> die_with_shim(const Fd& shim_lives) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return fail_errno("tie it to its shim");
  pollfd state{shim_lives.get(), POLLIN, 0};
  if (::poll(&state, 1, 0) != 0) return fail(Code::kInternal, "the shim has ended");
  return Ok{};
}

Result<> limit_resources() {
  const rlimit none{0, 0};
  if (::setrlimit(RLIMIT_CORE, &none) != 0) return fail_errno("turn off core dumps");
  return Ok{};
}

Result<> enter(const Jail& jail, const Fd& shim_lives) {
  TRY(mount_empty_root());
  TRY(fill_root(jail));
  TRY(enter_jail_root());
  TRY(limit_resources());
  if (!jail.keeps_capabilities) TRY(cut_bounding_set());
  TRY(change_identity(jail));
  if (!jail.keeps_capabilities) TRY(drop_capabilities());
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return fail_errno("refuse new privileges");
  return die_with_shim(shim_lives);
}

}  // namespace

Result<> add_system(Jail& jail, const std::string& path) {
  TRY_ASSIGN(Shared shared, share_system(path));
  jail.entries.push_back({path, std::move(shared)});
  return Ok{};
}

Result<> add_device(Jail& jail, const std::string& path) {
  TRY_ASSIGN(const Fd place, open_path(path, O_PATH));
  TRY_ASSIGN(Fd tree, clone_tree(place));
  jail.entries.push_back({path, Shared{std::move(tree), false}});
  return Ok{};
}

Result<> add_libraries(Jail& jail) {
  jail.directories.emplace_back("/usr");
  for (const std::string path : {"/usr/lib", "/usr/lib64", "/lib", "/lib64"}) {
    std::array<char, 256> target{};
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0) continue;
    if (!S_ISLNK(info.st_mode)) {
      TRY(add_system(jail, path));
    } else if (::readlink(path.c_str(), target.data(), target.size() - 1) > 0) {
      jail.links.emplace_back(path, target.data());
    }
  }
  return exists("/etc/ld.so.cache") ? add_system(jail, "/etc/ld.so.cache") : Ok{};
}

Result<Child> start_jailed(const Jail& jail, Command command) {
  TRY_ASSIGN(Pipe lives, make_pipe());
  TRY_ASSIGN(Pipe complaint, make_pipe());
  command.namespaces = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
  // The shim has one thread, so that between fork and exec everything is allowed.
  command.before_exec = [&] {
    lives.write.reset();
    const auto entered = enter(jail, lives.read);
    if (entered) return 0;
    const std::string what = entered.error().what();
    (void)!::write(complaint.write.get(), what.data(), std::min(what.size(), kLongestComplaint));
    return EPERM;
  };
  auto child = Child::start(command);
  if (child) return child;
  complaint.write.reset();
  const auto what = read_all(complaint.read, kLongestComplaint);
  if (!what || what->empty()) return child;
  return fail(Code::kUnavailable, "jail " + command.argv.front() + ": " + *what, "sandbox diagnose");
}

}  // namespace sbx::backends::qemu
