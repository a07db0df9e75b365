// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/socket_search.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <memory>

namespace sbx::backends {
namespace {

using Directory = std::unique_ptr<DIR, int (*)(DIR*)>;

class Search {
 public:
  Search(const Fd& top, const SearchBounds& bounds) : top_(top), bounds_(bounds) {}

  SocketSearch run() {
    directories_.emplace_back();
    while (!directories_.empty() && within_bounds()) {
      const std::string path = std::move(directories_.front());
      directories_.pop_front();
      read(path);
    }
    if (!directories_.empty()) result_.whole = false;
    return std::move(result_);
  }

 private:
  bool within_bounds() const { return result_.entries < bounds_.entries && result_.found.size() < bounds_.sockets; }

  void read(const std::string& path) {
    auto fd = open_beneath(top_, path.empty() ? "." : path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (!fd) return note(fd.error());
    const Directory directory(::fdopendir(fd->get()), ::closedir);
    if (!directory) return;
    (void)fd->release();
    while (const dirent* entry = ::readdir(directory.get())) {
      if (!within_bounds()) {
        result_.whole = false;
        return;
      }
      look(directory.get(), path, *entry);
    }
  }

  // What is gone by now is nothing that was missed.
  void note(const Error& error) {
    if (error.code() != Code::kNotFound) result_.whole = false;
  }

  void look(DIR* directory, const std::string& path, const dirent& entry) {
    const std::string_view name = entry.d_name;
    if (name == "." || name == "..") return;
    ++result_.entries;
    const unsigned char type = entry.d_type == DT_UNKNOWN ? type_of(directory, entry.d_name) : entry.d_type;
    if (type != DT_DIR && type != DT_SOCK) return;
    std::string whole = path.empty() ? std::string(name) : path + "/" + std::string(name);
    if (type == DT_DIR)
      directories_.push_back(std::move(whole));
    else
      take(std::move(whole));
  }

  static unsigned char type_of(DIR* directory, const char* name) {
    struct stat info {};
    if (::fstatat(::dirfd(directory), name, &info, AT_SYMLINK_NOFOLLOW) != 0) return DT_UNKNOWN;
    return S_ISDIR(info.st_mode) ? DT_DIR : S_ISSOCK(info.st_mode) ? DT_SOCK : DT_REG;
  }

  void take(std::string path) {
    auto place = open_beneath(top_, path, O_PATH | O_NOFOLLOW);
    if (!place) return note(place.error());
    struct stat info {};
    if (::fstat(place->get(), &info) != 0 || !S_ISSOCK(info.st_mode) || !is_alive(*place)) return;
    result_.found.push_back({std::move(*place), std::move(path)});
  }

  const Fd& top_;
  const SearchBounds bounds_;
  std::deque<std::string> directories_;  // still to be read
  SocketSearch result_;
};

}  // namespace

SocketSearch find_sockets(const Fd& top, const SearchBounds& bounds) { return Search(top, bounds).run(); }

// A datagram socket is not let connect to any other kind, and the kernel says so only if there is one; to its own kind
// connecting is a note on our side. ECONNREFUSED: no process is behind it. Whatever else happens counts as alive.
bool is_alive(const Fd& socket) {
  const Fd probe(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!probe) return true;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = "/proc/self/fd/" + std::to_string(socket.get());
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  if (::connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return true;
  return errno != ECONNREFUSED;
}

}  // namespace sbx::backends
