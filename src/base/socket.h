// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace sbx {

// Unix stream sockets by path. A path longer than sun_path holds (107 bytes) works too: the call goes through a
// descriptor of its directory, so homes and names of any length are fine.
Result<Fd> listen_unix(const std::string& path, unsigned mode = 0600);  // replaces a stale socket file
Result<Fd> connect_unix(const std::string& path);
Result<Fd> accept_unix(const Fd& listener);

struct Peer {
  pid_t pid;
  uid_t uid;
  gid_t gid;
};
Result<Peer> peer_of(const Fd& socket);

// A message between two of our own processes: 4 bytes of length (little endian), then that many bytes, with
// descriptors attached to the first byte. receive_message returns an empty optional at a clean EOF.
struct Message {
  std::string body;
  std::vector<Fd> fds;
};
inline constexpr std::size_t kLargestMessage = 4u << 20;
Result<> send_message(const Fd& socket, std::string_view body, const std::vector<int>& fds = {});
Result<std::optional<Message>> receive_message(const Fd& socket);

// All of it, blocking; EINTR is handled, and SIGPIPE is not raised. An error says what it was `doing`. Descriptors go
// with the first byte.
Result<> send_all(const Fd& socket, std::string_view bytes, std::string_view doing, const std::vector<int>& fds = {});
// What has come, blocking until there is some; 0 at EOF. Descriptors that came with it are added to `fds`.
Result<std::size_t> receive_some(const Fd& socket, std::span<char> into, std::vector<Fd>& fds);

// Reads and writes on it fail with kTimeout after this long.
Result<> set_timeouts(const Fd& socket, std::chrono::milliseconds limit);

}  // namespace sbx
