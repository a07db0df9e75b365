// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/sharing.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/mounting.h"
#include "base/file.h"
#include "idmap/idmap.h"

namespace sbx::backends {
namespace {

constexpr std::uint32_t kAnyBase = 100'000;  // for a map that nothing is mounted with

Result<AgentIds> owner_of(const Fd& place) {
  struct stat info {};
  if (::fstat(place.get(), &info) != 0) return fail_errno("stat the workspace");
  return AgentIds{info.st_uid, info.st_gid};
}

bool is_same(const AgentIds& one, const AgentIds& two) { return one.uid == two.uid && one.gid == two.gid; }

// Which host ids the owner has, and where the guest sees them. Guest 1000 is the owner. Other guest ids stay what they
// are, so that what the guest's root makes has a name too.
idmap::IdMap workspace_map(const AgentIds& owner, const MachineSpec& spec) {
  constexpr std::uint32_t kAgent = idmap::kAgent;
  const std::uint32_t base = spec.id_base;
  const auto around = [base](std::uint32_t from, std::uint32_t agent) {
    return std::vector<idmap::Range>{{base, base, kAgent},
                                     {from, agent == 0 ? base + kAgent : agent, 1},
                                     {base + kAgent + 1, base + kAgent + 1, idmap::kGuestIds - kAgent - 1}};
  };
  return {around(owner.uid, spec.agent.uid), around(owner.gid, spec.agent.gid)};
}

Result<bool> is_directory(const Fd& place, const std::string& path) {
  struct stat info {};
  if (::fstat(place.get(), &info) != 0) return fail_errno("stat " + path);
  return S_ISDIR(info.st_mode);
}

std::vector<std::string> hidden_below(const std::string& source, const std::vector<std::string>& hidden) {
  std::vector<std::string> paths;
  for (const std::string& path : hidden)
    if (path.starts_with(source + "/")) paths.push_back(path.substr(source.size() + 1));
  return paths;
}

// What the guest finds there can be neither read nor written, and, in its user namespace, not be unmounted either.
Result<> hide(const std::string& top, const std::string& path) {
  TRY_ASSIGN(const Fd directory, open_path(top, O_PATH | O_DIRECTORY));
  TRY_ASSIGN(const Fd place, open_beneath(directory, path, O_PATH | O_DIRECTORY));
  TRY_ASSIGN(const Fd empty, detached_tmpfs(4096));
  MountChange change;
  change.set = MOUNT_ATTR_RDONLY;
  TRY(change_tree(empty, change));
  return attach_tree(empty, place);
}

Result<> map_once(const Fd& place, const Fd& ids) {
  TRY_ASSIGN(const Fd tree, clone_tree(place));
  MountChange change;
  change.set = MOUNT_ATTR_IDMAP;
  change.user_namespace = ids.get();
  return change_tree(tree, change);
}

// SECURITY: an agent that is the host's root, or in its group, would have its rights wherever the kernel asks for an id
// alone. Then there is no way but to map ids.
Result<> join_agents(AgentIds& agent, const AgentIds& owner, const Error& why) {
  if (owner.uid == 0 || owner.gid == 0 || (agent.uid != 0 && !is_same(agent, owner))) return fail(why);
  agent = owner;
  return Ok{};
}

}  // namespace

idmap::IdMap guest_map(const MachineSpec& spec) {
  return idmap::privileged_map(spec.id_base, {spec.agent.uid, spec.agent.gid});
}

Result<AgentIds> agent_sharing(const std::vector<wire::Mount>& mounts) {
  AgentIds agent;
  if (!idmap::privileged() || mounts.empty()) return agent;
  TRY_ASSIGN(const Fd ids, user_namespace_with(idmap::privileged_map(kAnyBase)));
  for (const auto& mount : mounts) {
    TRY_ASSIGN(const Fd place, open_without_links(mount.source, O_PATH));
    const auto mapped = map_once(place, ids);
    if (mapped) continue;
    TRY_ASSIGN(const AgentIds owner, owner_of(place));
    TRY_WITHIN("share " + mount.source, join_agents(agent, owner, mapped.error()));
  }
  return agent;
}

Result<Shared> share_mount(const wire::Mount& mount, const MachineSpec& spec) {
  // A guest may have replaced a directory in its workspace that another mount names: a link there would lead it to
  // anything of the host's.
  TRY_ASSIGN(const Fd place, open_without_links(mount.source, O_PATH));
  TRY_ASSIGN(const bool directory, is_directory(place, mount.source));
  TRY_ASSIGN(Fd tree, clone_tree(place));
  MountChange change;
  change.set = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | (mount.readonly ? MOUNT_ATTR_RDONLY : 0);
  Fd ids;
  TRY_ASSIGN(const AgentIds owner, owner_of(place));
  const bool is_agents = spec.agent.uid != 0 && is_same(owner, spec.agent);
  if (idmap::privileged() && !is_agents) {
    TRY_ASSIGN(ids, user_namespace_with(workspace_map(owner, spec)));
    change.set |= MOUNT_ATTR_IDMAP;
    change.user_namespace = ids.get();
  }
  TRY_WITHIN("share " + mount.source, change_tree(tree, change));
  return Shared{std::move(tree), directory, hidden_below(mount.source, spec.hidden)};
}

Result<Shared> share_system(const std::string& path) {
  TRY_ASSIGN(const Fd place, open_path(path, O_PATH));
  TRY_ASSIGN(const bool directory, is_directory(place, path));
  TRY_ASSIGN(Fd tree, clone_tree(place));
  MountChange change;
  change.set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  TRY_WITHIN("share " + path, change_tree(tree, change));
  return Shared{std::move(tree), directory, {}};
}

Result<> attach(const Shared& shared, const std::string& at) {
  if (shared.directory) {
    if (::mkdir(at.c_str(), 0755) != 0) return fail_errno("make " + at);
  } else {
    TRY(open_path(at, O_WRONLY | O_CREAT | O_EXCL, 0644));
  }
  TRY(attach_tree(shared.tree, at));
  for (const std::string& path : shared.hidden) TRY_WITHIN("hide " + path, hide(at, path));
  return Ok{};
}

Result<> enter_mount_namespace() {
  if (!idmap::privileged()) {
    TRY(idmap::enter_rootless(CLONE_NEWNS));
  } else if (::unshare(CLONE_NEWNS) != 0) {
    return fail_errno("make a mount namespace");
  }
  return make_mounts_private();
}

}  // namespace sbx::backends
