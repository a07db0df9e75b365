// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/socket.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace sbx {
namespace {

struct Address {
  sockaddr_un raw{};
  Fd directory;  // keeps /proc/self/fd/N/name alive
};

Result<Address> address_of(const std::string& path) {
  Address address;
  address.raw.sun_family = AF_UNIX;
  std::string reachable = path;
  if (path.size() >= sizeof address.raw.sun_path) {
    const auto slash = path.find_last_of('/');
    if (slash == std::string::npos) return fail(Code::kInvalid, "socket name too long: " + path);
    TRY_ASSIGN(address.directory, open_path(path.substr(0, slash), O_PATH | O_DIRECTORY));
    reachable = "/proc/self/fd/" + std::to_string(address.directory.get()) + path.substr(slash);
    if (reachable.size() >= sizeof address.raw.sun_path) return fail(Code::kInvalid, "socket name too long: " + path);
  }
  std::memcpy(address.raw.sun_path, reachable.c_str(), reachable.size() + 1);
  return address;
}

Result<Fd> new_socket() {
  Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket) return fail_errno("make a socket");
  return socket;
}

const sockaddr* generic(const Address& address) { return reinterpret_cast<const sockaddr*>(&address.raw); }

Error timed(std::string_view doing) {
  if (errno == EAGAIN || errno == EWOULDBLOCK) return Error(Code::kTimeout, std::string(doing) + ": timed out");
  return Error::from_errno(doing);
}

}  // namespace

Result<Fd> listen_unix(const std::string& path, unsigned mode) {
  TRY_ASSIGN(Fd socket, new_socket());
  TRY_ASSIGN(const Address address, address_of(path));
  if (::unlink(address.raw.sun_path) != 0 && errno != ENOENT) return fail_errno("replace " + path);
  // fchmod before bind decides the mode of the file, with no moment in which others could connect.
  if (::fchmod(socket.get(), mode) != 0) return fail_errno("set the mode of " + path);
  if (::bind(socket.get(), generic(address), sizeof address.raw) != 0) return fail_errno("listen on " + path);
  if (::chmod(address.raw.sun_path, mode) != 0) return fail_errno("set the mode of " + path);
  if (::listen(socket.get(), 128) != 0) return fail_errno("listen on " + path);
  return socket;
}

Result<Fd> connect_unix(const std::string& path) {
  TRY_ASSIGN(Fd socket, new_socket());
  TRY_ASSIGN(const Address address, address_of(path));
  if (::connect(socket.get(), generic(address), sizeof address.raw) != 0) return fail_errno("connect to " + path);
  return socket;
}

Result<Fd> accept_unix(const Fd& listener) {
  Fd socket(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!socket) return fail_errno("accept");
  return socket;
}

Result<Peer> peer_of(const Fd& socket) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0)
    return fail_errno("identify the peer");
  return Peer{credentials.pid, credentials.uid, credentials.gid};
}

namespace {

constexpr std::size_t kMostDescriptors = 8;
using Control = std::array<char, CMSG_SPACE(sizeof(int) * kMostDescriptors)>;

// How many went. Descriptors go with the first of them.
Result<std::size_t> send_some(const Fd& socket, std::string_view bytes, std::string_view doing,
                              const std::vector<int>& fds) {
  if (fds.size() > kMostDescriptors) return fail(Code::kInvalid, "too many descriptors in one message");
  iovec part{const_cast<char*>(bytes.data()), bytes.size()};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  alignas(cmsghdr) Control control{};
  if (!fds.empty()) {
    header.msg_control = control.data();
    header.msg_controllen = CMSG_SPACE(sizeof(int) * fds.size());
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int) * fds.size());
    std::memcpy(CMSG_DATA(rights), fds.data(), sizeof(int) * fds.size());
  }
  for (;;) {
    const ssize_t n = ::sendmsg(socket.get(), &header, MSG_NOSIGNAL);
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EINTR) return fail(timed(doing));
  }
}

void take_descriptors(msghdr& header, std::vector<Fd>& fds) {
  for (cmsghdr* c = CMSG_FIRSTHDR(&header); c != nullptr; c = CMSG_NXTHDR(&header, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof fd);
      fds.emplace_back(fd);
    }
  }
}

// The number of bytes read: `size`, or 0 at EOF before the first.
Result<std::size_t> receive_exactly(const Fd& socket, char* into, std::size_t size, std::vector<Fd>& fds) {
  std::size_t done = 0;
  while (done < size) {
    TRY_ASSIGN(const std::size_t n, receive_some(socket, {into + done, size - done}, fds));
    if (n == 0 && done == 0) return std::size_t{0};
    if (n == 0) return fail(Code::kInternal, "receive a message: the other side closed in the middle");
    done += n;
  }
  return done;
}

}  // namespace

Result<> send_all(const Fd& socket, std::string_view bytes, std::string_view doing, const std::vector<int>& fds) {
  for (std::vector<int> unsent = fds; !bytes.empty(); unsent.clear()) {
    TRY_ASSIGN(const std::size_t n, send_some(socket, bytes, doing, unsent));
    bytes.remove_prefix(n);
  }
  return Ok{};
}

Result<std::size_t> receive_some(const Fd& socket, std::span<char> into, std::vector<Fd>& fds) {
  iovec part{into.data(), into.size()};
  for (;;) {
    alignas(cmsghdr) Control control{};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = control.size();
    const ssize_t n = ::recvmsg(socket.get(), &header, MSG_CMSG_CLOEXEC);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(timed("receive"));
    take_descriptors(header, fds);
    return static_cast<std::size_t>(n);
  }
}

Result<> send_message(const Fd& socket, std::string_view body, const std::vector<int>& fds) {
  if (body.size() > kLargestMessage) return fail(Code::kTooLarge, "message too large");
  const auto length = static_cast<std::uint32_t>(body.size());
  TRY(send_all(socket, {reinterpret_cast<const char*>(&length), sizeof length}, "send a message", fds));
  return send_all(socket, body, "send a message");
}

Result<std::optional<Message>> receive_message(const Fd& socket) {
  Message message;
  std::uint32_t length = 0;
  TRY_ASSIGN(const std::size_t got,
             receive_exactly(socket, reinterpret_cast<char*>(&length), sizeof length, message.fds));
  if (got == 0) return std::optional<Message>();
  if (length > kLargestMessage) return fail(Code::kTooLarge, "message too large");
  message.body.resize(length);
  TRY_ASSIGN(const std::size_t body, receive_exactly(socket, message.body.data(), length, message.fds));
  if (body != length) return fail(Code::kInternal, "receive a message: the other side closed in the middle");
  return std::optional<Message>(std::move(message));
}

Result<> set_timeouts(const Fd& socket, std::chrono::milliseconds limit) {
  timeval value{};
  value.tv_sec = limit.count() / 1000;
  value.tv_usec = (limit.count() % 1000) * 1000;
  for (const int option : {SO_RCVTIMEO, SO_SNDTIMEO})
    if (::setsockopt(socket.get(), SOL_SOCKET, option, &value, sizeof value) != 0) return fail_errno("set a timeout");
  return Ok{};
}

}  // namespace sbx
