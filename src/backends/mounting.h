// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "idmap/idmap.h"

// The mount system calls that we use, with errors that say what they were for. All act on the mount namespace of the
// calling process; none is undone, because the namespace is thrown away whole.
namespace sbx::backends {

Result<> make_mounts_private();  // what we mount is not seen by others, and the other way round only while it lasts
Result<> mount_tmpfs(const std::string& at);
// One of this size that is not attached anywhere yet.
Result<Fd> detached_tmpfs(std::int64_t bytes);
// That on a block device, writable. It turns read-only by itself when it finds itself damaged or its device fails.
Result<Fd> detached_ext4(const std::string& device);
// Whether the kernel knows this file system, or has a module that does.
Result<> has_file_system(const std::string& name);
// `lower`: the mounted layers below, as "/topmost:/next:...".
Result<> mount_overlay(const std::string& at, const std::string& lower, const Fd& upper, const Fd& work);

// A read-only view of a directory, as a file system of its own: what is mounted from it tells no guest, in its
// /proc/self/mountinfo, where on the host the directory is. `empty` is a directory without anything in it.
Result<> mount_view(const std::string& at, const Fd& directory, const std::string& empty);

// A detached copy of the mounts at what `place` is open on, those below it included. By descriptor, so that a path is
// looked up once and what was checked is what is mounted.
Result<Fd> clone_tree(const Fd& place);
Result<> attach_tree(const Fd& tree, const std::string& at);
// The same on what `place` is open on, whatever its name is by now.
Result<> attach_tree(const Fd& tree, const Fd& place);

struct MountChange {
  std::uint64_t set = 0;    // MOUNT_ATTR_*
  std::uint64_t clear = 0;  // the same
  int user_namespace = -1;  // with MOUNT_ATTR_IDMAP
};
Result<> change_tree(const Fd& tree, const MountChange& change);

// A user namespace with this map and no process in it: what an idmapped mount is described by.
Result<Fd> user_namespace_with(const idmap::IdMap& map);

// In a rootless namespace: directories that are made by and belong to the guest's root.
Result<> make_owned_by_guest_root(const std::vector<std::string>& directories);

}  // namespace sbx::backends
