// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace sbx::guest {

// The guest's root file system, as init may write to it. Everything that init writes goes through here:
//
//   TRY_ASSIGN(const OwnRoot root, OwnRoot::open());
//   TRY(root.write("/etc/hostname", "box\n", 0644));
//
// SECURITY: a path may lead to a mount of the user's, by itself or by a link that the template or an earlier run of the
// guest put there; what is written there is written on the host. So every path is opened with openat2, links are
// followed inside this root only, and nothing is opened for writing on any other mount than the root's own
// (RESOLVE_NO_XDEV). That includes init's own /run and /tmp, where nothing of this kind lies.
//
// Paths are absolute and mean the same for a program of the guest's. "" is the running system; tests give a directory.
class OwnRoot {
 public:
  static Result<OwnRoot> open(const std::string& directory = "");

  // Whether there is something, on whichever mount; a link that leads nowhere is nothing.
  bool exists(const std::string& path) const;
  // Whether it is there and on the root's own mount.
  bool holds(const std::string& path) const;
  // A file of up to 1 MiB, on whichever mount. The guest's root may have put anything there: only regular files are
  // read, and a pipe does not hold us up.
  Result<std::string> read(const std::string& path) const;
  // The same for what is changed and written back: one that is not there is empty. Any other failure must keep the
  // caller from writing, for instance that it is too large: what cannot be read would be lost.
  Result<std::string> read_to_change(const std::string& path) const;
  // The path without links.
  Result<std::string> resolved(const std::string& path) const;
  // On the root's own mount. kForbidden: it lies on another one.
  Result<Fd> open_own(const std::string& path, int flags) const;

  // The new content is there whole or not at all; the old file's mode and owner are kept, a new file gets `mode`. A
  // link is replaced, not followed. Where the path lies on another mount, the file there is left as it is and a file of
  // ours is mounted over it, which lasts until the guest ends; without a file to mount it on, it is kForbidden. Nothing
  // is synced to the disk, because every start of a sandbox waits for this: lost in a power cut, it is done again at
  // the next start. What was init's alone until now is marked as such (archive/left_out.h).
  Result<> write(const std::string& path, std::string_view content, unsigned mode) const;
  // As mkdir -p. The directory that it returns is on the root's own mount.
  Result<Fd> make_directories(const std::string& path, unsigned mode) const;
  // A symbolic link, unless something has its name.
  Result<> link(const std::string& target, const std::string& path) const;

  // No program of the user's has run yet: what is there is the template's or init's. False on later starts.
  bool is_first_start() const;
  // From now on a file may be the user's.
  void end_first_start() const;

 private:
  explicit OwnRoot(Fd root) : root_(std::move(root)) {}

  Result<Fd> open_any(const std::string& path, int flags) const;
  Result<Fd> uncovered(const std::string& path) const;
  Result<> cover(const std::string& path, std::string_view content, unsigned mode) const;

  Fd root_;
};

}  // namespace sbx::guest
