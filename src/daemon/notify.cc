// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "daemon/notify.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <cstdlib>
#include <string_view>

#include "base/fd.h"

namespace sbx::daemon {
namespace {

constexpr std::string_view kReady = "READY=1";
constexpr const char* kVariable = "NOTIFY_SOCKET";

}  // namespace

std::string take_notify_socket() {
  const char* value = std::getenv(kVariable);
  std::string socket = value == nullptr ? "" : value;
  ::unsetenv(kVariable);
  return socket;
}

Result<> notify_ready(const std::string& socket) {
  if (socket.empty()) return Ok{};
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket.size() >= sizeof address.sun_path) return fail(Code::kInvalid, "NOTIFY_SOCKET is too long");
  socket.copy(address.sun_path, socket.size());
  if (socket.front() == '@') address.sun_path[0] = 0;  // an abstract name
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket.size());
  const Fd sender(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!sender) return fail_errno("socket");
  const ssize_t sent = ::sendto(sender.get(), kReady.data(), kReady.size(), MSG_NOSIGNAL,
                                reinterpret_cast<const sockaddr*>(&address), length);  // the sockets API
  return sent < 0 ? fail_errno("tell systemd, at " + socket) : Result<>();
}

}  // namespace sbx::daemon
