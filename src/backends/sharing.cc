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

// Which host ids the owner of `source` has, and where the guest sees them.
Result<idmap::IdMap> workspace_map(const Fd& source, std::uint32_t base) {
  struct stat info {};
  if (::fstat(source.get(), &info) != 0) return fail_errno("stat the workspace");
  const auto around = [base](std::uint32_t owner) {
    constexpr std::uint32_t kAgent = idmap::kAgent;
    // Guest 1000 is the owner. Other guest ids stay what they are, so that what the guest's root makes has a name too.
    return std::vector<idmap::Range>{{base, base, kAgent},
                                     {owner, base + kAgent, 1},
                                     {base + kAgent + 1, base + kAgent + 1, idmap::kGuestIds - kAgent - 1}};
  };
  return idmap::IdMap{around(info.st_uid), around(info.st_gid)};
}

Result<bool> is_directory(const Fd& place, const std::string& path) {
  struct stat info {};
  if (::fstat(place.get(), &info) != 0) return fail_errno("stat " + path);
  return S_ISDIR(info.st_mode);
}

}  // namespace

Result<Shared> share_mount(const wire::Mount& mount, std::uint32_t id_base) {
  // A guest may have replaced a directory in its workspace that another mount names: a link there would lead it to
  // anything of the host's.
  TRY_ASSIGN(const Fd place, open_without_links(mount.source, O_PATH));
  TRY_ASSIGN(const bool directory, is_directory(place, mount.source));
  TRY_ASSIGN(Fd tree, clone_tree(place));
  MountChange change;
  change.set = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | (mount.readonly ? MOUNT_ATTR_RDONLY : 0);
  Fd ids;
  if (idmap::privileged()) {
    TRY_ASSIGN(const idmap::IdMap map, workspace_map(place, id_base));
    TRY_ASSIGN(ids, user_namespace_with(map));
    change.set |= MOUNT_ATTR_IDMAP;
    change.user_namespace = ids.get();
  }
  TRY_WITHIN("share " + mount.source, change_tree(tree, change));
  return Shared{std::move(tree), directory};
}

Result<Shared> share_system(const std::string& path) {
  TRY_ASSIGN(const Fd place, open_path(path, O_PATH));
  TRY_ASSIGN(const bool directory, is_directory(place, path));
  TRY_ASSIGN(Fd tree, clone_tree(place));
  MountChange change;
  change.set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  TRY_WITHIN("share " + path, change_tree(tree, change));
  return Shared{std::move(tree), directory};
}

Result<> attach(const Shared& shared, const std::string& at) {
  if (shared.directory) {
    if (::mkdir(at.c_str(), 0755) != 0) return fail_errno("make " + at);
  } else {
    TRY(open_path(at, O_WRONLY | O_CREAT | O_EXCL, 0644));
  }
  return attach_tree(shared.tree, at);
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
