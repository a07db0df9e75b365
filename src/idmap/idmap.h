// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/child.h"
#include "base/result.h"

// Who is who on both sides of a guest's border. A guest has 65536 ids. As root on the host they are a range that no
// other user has; for an ordinary user they come from /etc/subuid and /etc/subgid, but guest 1000 is the user.
namespace sbx::idmap {

inline constexpr std::uint32_t kGuestIds = 65536;
inline constexpr std::uint32_t kAgent = 1000;

struct Range {
  std::uint32_t inside;
  std::uint32_t outside;
  std::uint32_t count;
};

struct IdMap {
  std::vector<Range> uids;
  std::vector<Range> gids;
};

// Whether we are root of the host (or of a container that looks like one) and need no helper.
bool privileged();

// The map of an ordinary user's guests: always the same for one user, so that sandboxes share templates.
Result<IdMap> rootless_map();

// The map of a root daemon's guest: ids base ... base + 65535, but for the agent, if that is to be a user of the
// host's, as in an ordinary user's guests.
struct Owner {
  std::uint32_t uid = 0;  // 0: no user of the host's; never root
  std::uint32_t gid = 0;
};
IdMap privileged_map(std::uint32_t base, const Owner& agent = {});

// Puts the calling process, which must have one thread, into a new user namespace with the rootless map and, with
// CLONE_NEWNS in `more_flags`, other new namespaces. Afterwards it has every capability there and is still itself:
// guest id 1000.
Result<> enter_rootless(int more_flags);

// Starts the command as the guest's root: for an ordinary user in a new user namespace with the rootless map, so that
// it may own files as any guest id; for root, plainly. For tar and for removing trees that hold guest-owned files.
Result<Child> start_as_guest_root(Command command);

// remove_tree, also where files belong to guest ids.
Result<> remove_guest_tree(const std::string& path);

}  // namespace sbx::idmap
