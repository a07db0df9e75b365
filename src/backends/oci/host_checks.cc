// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/oci/host_checks.h"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tuple>

#include "backends/oci/cgroup.h"
#include "backends/oci/runtime.h"
#include "backends/oci/writable_layer.h"
#include "base/file.h"
#include "base/home.h"
#include "base/landlock.h"
#include "base/socket.h"
#include "base/text.h"
#include "idmap/idmap.h"

namespace sbx::backends::oci {
namespace {

std::string sysctl(const std::string& path) {
  const auto value = read_file("/proc/sys/" + path);
  return value ? std::string(trimmed(*value)) : "";
}

Check pass(std::string name, std::string message) {
  return {std::move(name), CheckStatus::kPass, std::move(message), ""};
}

Check outcome(std::string name, const Result<>& result, std::string good) {
  if (result) return pass(std::move(name), std::move(good));
  return {std::move(name), CheckStatus::kFail, result.error().what(), result.error().hint()};
}

Check check_subordinate_ids() {
  if (idmap::privileged()) return pass("subordinate ids", "not needed as root");
  const auto map = idmap::rootless_map();
  return outcome("subordinate ids", map ? Result<>(Ok{}) : Result<>(fail(map.error())), "65535 ids for guests");
}

Check check_runtime(const std::vector<std::string>& names) {
  const auto runtime = Runtime::find(names);
  if (runtime) return pass("OCI runtime", runtime->name());
  return {"OCI runtime", CheckStatus::kFail, runtime.error().what(), runtime.error().hint()};
}

// Of the daemon, if one runs: it may be in another place than who asks, and sandboxes are where it is.
Cgroups cgroups_of_daemon(const std::string& home) {
  const auto connection = connect_unix(Home(home).socket());
  const auto daemon = connection ? peer_of(*connection) : fail(connection.error());
  return daemon ? Cgroups::seen_by(daemon->pid) : Cgroups::detect();
}

Check check_cgroups(const std::string& home) {
  const Cgroups cgroups = cgroups_of_daemon(home);
  const std::string version(to_string(cgroups.version()));
  if (cgroups.writable()) return pass("cgroups", version + ", limits can be enforced");
  return {"cgroups", CheckStatus::kWarn, version + ", but not writable for this user: --cpus and --memory are refused",
          "let systemd start the daemon: sandbox daemon stop; systemctl --user enable --now sandboxd"};
}

Check check_disk_bound(const std::string& home) {
  const auto bound = disk_bound_for(home);
  if (bound) return pass("disk bound", "containers are held to their --disk by a " + std::string(word_of(*bound)));
  return {"disk bound", CheckStatus::kWarn,
          "containers may fill the disk, and --disk is refused: " + bound.error().what(), bound.error().hint()};
}

Check check_apparmor() {
  if (sysctl("kernel/apparmor_restrict_unprivileged_userns") != "1" || idmap::privileged())
    return pass("AppArmor", "does not restrict user namespaces");
  return {"AppArmor", CheckStatus::kWarn, "restricts user namespaces of unprivileged programs",
          "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"};
}

Check check_sockets() {
  if (landlock_version() >= kLandlockWithResolveUnix)
    return pass("sockets in workspaces", "the kernel keeps containers from those of the host's (Landlock)");
  return {"sockets in workspaces", CheckStatus::kWarn,
          "those that are there at a start are covered; one that appears later can be reached from a container",
          "keep sockets out of what you share, or use --backend microvm"};
}

}  // namespace

Result<> user_namespaces_work() {
  const pid_t pid = ::fork();
  if (pid < 0) return fail_errno("fork");
  if (pid == 0) ::_exit(::unshare(CLONE_NEWUSER) == 0 ? 0 : 1);
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (status == 0) return Ok{};
  for (const auto& [setting, bad, hint] : {
           std::tuple{"kernel/unprivileged_userns_clone", "0", "sudo sysctl kernel.unprivileged_userns_clone=1"},
           std::tuple{"user/max_user_namespaces", "0", "sudo sysctl user.max_user_namespaces=15000"},
           std::tuple{"kernel/apparmor_restrict_unprivileged_userns", "1",
                      "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"},
       })
    if (sysctl(setting) == bad) return fail(Code::kUnavailable, "this user may not make user namespaces", hint);
  return fail(Code::kUnavailable,
              "this user may not make user namespaces: in a chroot, or a container that forbids it?");
}

std::vector<Check> host_checks(const std::vector<std::string>& runtimes, const std::string& home) {
  return {outcome("user namespaces", user_namespaces_work(), "available"),
          check_subordinate_ids(),
          check_cgroups(home),
          check_runtime(runtimes),
          check_apparmor(),
          check_disk_bound(home),
          check_sockets()};
}

}  // namespace sbx::backends::oci
