// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/socket_covers.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>

#include "backends/mounting.h"
#include "backends/socket_search.h"
#include "base/log.h"
#include "base/text.h"

namespace sbx::backends {
namespace {

// Its last name was removed after it was found: no path leads to it any more.
bool is_gone(const Fd& place) {
  struct stat info {};
  return ::fstat(place.get(), &info) == 0 && info.st_nlink == 0;
}

void count(CoveredSockets& sockets, const std::string& source, const FoundSocket& socket) {
  ++sockets.count;
  if (sockets.paths.size() < CoveredSockets::kMostNamed) sockets.paths.push_back(source + "/" + socket.path);
}

}  // namespace

Result<SocketCovers> SocketCovers::create(const std::string& inert) {
  TRY(open_path(inert, O_WRONLY | O_CREAT | O_EXCL, 0444));
  TRY_ASSIGN(Fd place, open_path(inert, O_PATH));
  return SocketCovers(std::move(place));
}

Result<> SocketCovers::add(const std::string& directory, const std::string& source) {
  TRY_ASSIGN(const Fd top, open_path(directory, O_PATH | O_DIRECTORY));
  const SocketSearch search = find_sockets(top);
  for (const FoundSocket& socket : search.found) {
    TRY_ASSIGN(const Fd tree, clone_tree(inert_));
    MountChange change;
    change.set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
    TRY(change_tree(tree, change));
    if (auto attached = attach_tree(tree, socket.place); !attached) {
      if (is_gone(socket.place)) continue;
      return fail(std::move(attached).error().within("cover " + printable(socket.path)));
    }
    log_info("covered the socket {}/{}", printable(source), printable(socket.path));
    count(covered_, source, socket);
  }
  if (search.whole) return Ok{};
  covered_.all_searched = false;
  log_warning("{} was not searched for sockets in whole: {} names were looked at", printable(source), search.entries);
  return Ok{};
}

// What cannot be opened here is an error of the start, not of this.
CoveredSockets live_sockets_in(const std::vector<wire::Mount>& mounts) {
  CoveredSockets sockets;
  for (const auto& mount : mounts) {
    const auto top = open_without_links(mount.source, O_PATH | O_DIRECTORY);
    if (!top) continue;
    const SocketSearch search = find_sockets(*top);
    for (const FoundSocket& socket : search.found) count(sockets, mount.source, socket);
    sockets.all_searched = sockets.all_searched && search.whole;
  }
  return sockets;
}

}  // namespace sbx::backends
