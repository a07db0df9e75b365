// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/oci/staging.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "backends/oci/mounting.h"
#include "base/file.h"
#include "idmap/idmap.h"

namespace sbx::backends::oci {
namespace {

// A directory to mount the stage over: one that exists everywhere, that anybody may enter, and that does not hide
// what is still needed by path.
Result<std::string> stage_directory(const MachineSpec& spec) {
  const auto hides = [&](const std::string& candidate) {
    for (const std::string* needed : {&spec.state_directory, &spec.template_root, &spec.init_program})
      if ((*needed + "/").starts_with(candidate + "/")) return true;
    return false;
  };
  for (const char* candidate : {"/mnt", "/media", "/srv", "/opt"}) {
    struct stat info {};
    if (::stat(candidate, &info) == 0 && S_ISDIR(info.st_mode) && !hides(candidate)) return std::string(candidate);
  }
  return fail(Code::kUnavailable, "no directory to mount the guest's root on", "sudo mkdir -p /mnt");
}

Result<> enter_namespaces() {
  if (!idmap::privileged()) return idmap::enter_rootless(CLONE_NEWNS);
  if (::unshare(CLONE_NEWNS) != 0) return fail_errno("make a mount namespace");
  return Ok{};
}

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

struct Source {
  Fd tree;
  bool directory = true;
};

Result<Source> open_source(const wire::Mount& mount, std::uint32_t base) {
  // A guest may have replaced a directory in its workspace that another mount names: a link there would lead it to
  // anything of the host's.
  TRY_ASSIGN(const Fd place, open_without_links(mount.source, O_PATH));
  struct stat info {};
  if (::fstat(place.get(), &info) != 0) return fail_errno("stat " + mount.source);
  TRY_ASSIGN(Fd tree, clone_tree(place));
  MountChange change;
  change.set = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | (mount.readonly ? MOUNT_ATTR_RDONLY : 0);
  Fd ids;
  if (idmap::privileged()) {
    TRY_ASSIGN(const idmap::IdMap map, workspace_map(place, base));
    TRY_ASSIGN(ids, user_namespace_with(map));
    change.set |= MOUNT_ATTR_IDMAP;
    change.user_namespace = ids.get();
  }
  TRY_WITHIN("share " + mount.source, change_tree(tree, change));
  return Source{std::move(tree), S_ISDIR(info.st_mode)};
}

Result<std::string> place(const Source& source, const std::string& at) {
  if (source.directory) {
    if (::mkdir(at.c_str(), 0755) != 0) return fail_errno("make " + at);
  } else {
    TRY(open_path(at, O_WRONLY | O_CREAT | O_EXCL, 0644));
  }
  TRY(attach_tree(source.tree, at));
  return at;
}

Result<> prepare_writable_layer(const MachineSpec& spec) {
  const std::string disk = spec.state_directory + "/disk";
  for (const std::string& directory : {disk, disk + "/upper", disk + "/work"}) {
    TRY(make_directories(directory, 0755));
    const bool ours = !idmap::privileged();
    if (!ours && ::chown(directory.c_str(), spec.id_base, spec.id_base) != 0) return fail_errno("chown " + directory);
  }
  return Ok{};
}

Result<Source> open_init(const MachineSpec& spec) {
  TRY_ASSIGN(const Fd place, open_path(spec.init_program, O_PATH));
  TRY_ASSIGN(Fd tree, clone_tree(place));
  MountChange change;
  change.set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  TRY_WITHIN("share sandbox-init", change_tree(tree, change));
  return Source{std::move(tree), false};
}

Result<Fd> open_lower(const MachineSpec& spec) {
  TRY_ASSIGN(const Fd place, open_path(spec.template_root, O_PATH | O_DIRECTORY));
  TRY_ASSIGN(Fd tree, clone_tree(place));
  if (!idmap::privileged()) return tree;
  TRY_ASSIGN(const Fd ids, user_namespace_with(idmap::privileged_map(spec.id_base)));
  MountChange change;
  change.set = MOUNT_ATTR_IDMAP | MOUNT_ATTR_RDONLY;
  change.user_namespace = ids.get();
  TRY_WITHIN("share the template", change_tree(tree, change));
  return tree;
}

}  // namespace

Result<Staging> stage(const MachineSpec& spec) {
  if (!idmap::privileged()) {
    // An ordinary user cannot give the layer to the guest's root from here, only from inside, as that root.
    TRY(make_directories(spec.state_directory + "/disk", 0755));
  }
  TRY_ASSIGN(const std::string stage, stage_directory(spec));
  TRY_WITHIN("isolate the mounts", enter_namespaces());
  TRY(make_mounts_private());
  if (idmap::privileged())
    TRY(prepare_writable_layer(spec));
  else
    TRY(make_owned_by_guest_root(spec.state_directory + "/disk"));

  // Everything that is found by path is opened before the stage is mounted, because the stage may hide it.
  TRY_ASSIGN(const Fd upper, open_path(spec.state_directory + "/disk/upper", O_PATH | O_DIRECTORY));
  TRY_ASSIGN(const Fd work, open_path(spec.state_directory + "/disk/work", O_PATH | O_DIRECTORY));
  TRY_ASSIGN(const Fd lower, open_lower(spec));
  TRY_ASSIGN(const Source init, open_init(spec));
  std::vector<Source> sources;
  for (const auto& mount : spec.mounts) {
    TRY_ASSIGN(Source source, open_source(mount, spec.id_base));
    sources.push_back(std::move(source));
  }

  TRY(mount_tmpfs(stage));
  for (const char* directory : {"/lower", "/root"})
    if (::mkdir((stage + directory).c_str(), 0755) != 0) return fail_errno("make " + stage + directory);
  TRY(attach_tree(lower, stage + "/lower"));
  TRY(mount_overlay(stage + "/root", stage + "/lower", upper, work));
  TRY_ASSIGN(std::string init_at, place(init, stage + "/init"));
  Staging staging{stage + "/root", std::move(init_at), {}};
  for (std::size_t i = 0; i < sources.size(); ++i) {
    TRY_ASSIGN(std::string at, place(sources[i], stage + "/m" + std::to_string(i)));
    staging.binds.push_back({std::move(at), spec.mounts[i].target, spec.mounts[i].readonly});
  }
  return staging;
}

}  // namespace sbx::backends::oci
