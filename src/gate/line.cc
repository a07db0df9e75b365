// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/line.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace sbx::gate {
namespace {

constexpr int kPacketsAtOnce = 64;  // then others get their turn
constexpr std::size_t kPacketCost = 512;
constexpr auto kPatience = std::chrono::milliseconds(20);

Fd attached_to(msghdr& header) {
  Fd fd;
  for (cmsghdr* c = CMSG_FIRSTHDR(&header); c != nullptr; c = CMSG_NXTHDR(&header, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    int number = -1;
    std::memcpy(&number, CMSG_DATA(c), sizeof number);
    fd = Fd(number);
  }
  return fd;
}

struct Received {
  ssize_t size;  // as recvmsg
  bool cut;
  Fd attached;
};

Received receive(const Fd& socket, char* into, std::size_t size, int flags) {
  iovec part{into, size};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  const ssize_t n = ::recvmsg(socket.get(), &header, flags | MSG_CMSG_CLOEXEC);
  if (n < 0) return {n, false, {}};
  return {n, (header.msg_flags & MSG_TRUNC) != 0, attached_to(header)};
}

}  // namespace

Result<SocketPair> make_line() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return fail_errno("make a socket pair");
  return SocketPair{Fd(ends[0]), Fd(ends[1])};
}

Line::Line(loop::Loop& loop, Fd socket, OnPacket on_packet, OnEnd on_end)
    : loop_(loop), socket_(std::move(socket)), on_packet_(std::move(on_packet)), on_end_(std::move(on_end)) {
  loop_.watch(socket_, EPOLLIN, [this](std::uint32_t events) { ready(events); });
}

Line::~Line() { loop_.forget(socket_); }

void Line::send(std::string bytes, Fd attached) {
  if (ended_) return;
  queued_ += bytes.size() + kPacketCost;
  queue_.push_back({std::move(bytes), std::move(attached)});
  if (queue_.size() == 1 && !resting_) write_some();
  update_interest();
}

void Line::ready(std::uint32_t events) {
  if ((events & EPOLLOUT) != 0) write_some();
  if ((events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0)
    for (int i = 0; i < kPacketsAtOnce && !ended_ && queued_ < limit_; ++i)
      if (!read_one()) break;
  update_interest();
}

bool Line::read_one() {
  std::array<char, kLargestPacket> buffer;
  Received got = receive(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (got.size < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (got.size <= 0 || got.cut) {
    end();
    return false;
  }
  on_packet_(std::string_view(buffer.data(), static_cast<std::size_t>(got.size)), std::move(got.attached));
  return true;
}

Line::Sent Line::send_now(const Fd& socket, const Packet& packet) {
  iovec part{const_cast<char*>(packet.bytes.data()), packet.bytes.size()};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  if (packet.attached) {
    header.msg_control = control.data();
    header.msg_controllen = control.size();
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    const int number = packet.attached.get();
    std::memcpy(CMSG_DATA(rights), &number, sizeof number);
  }
  if (::sendmsg(socket.get(), &header, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0) return Sent::kYes;
  if (errno == EAGAIN || errno == EINTR) return Sent::kNotNow;
  return errno == ETOOMANYREFS || errno == ENOBUFS || errno == ENOMEM ? Sent::kLater : Sent::kNever;
}

void Line::write_some() {
  while (!queue_.empty()) {
    const Sent sent = send_now(socket_, queue_.front());
    if (sent == Sent::kNotNow) return;
    if (sent == Sent::kLater) return rest();
    if (sent == Sent::kNever) {
      // The end of what the peer has still said is found by reading.
      queue_.clear();
      queued_ = 0;
      return;
    }
    queued_ -= queue_.front().bytes.size() + kPacketCost;
    queue_.pop_front();
  }
}

// The socket would take it, so it does not tell when to try again.
void Line::rest() {
  if (resting_) return;
  resting_ = loop_.after(kPatience, [this] {
    write_some();
    update_interest();
  });
}

void Line::update_interest() {
  if (ended_) return;
  std::uint32_t events = queue_.empty() || resting_ ? 0u : std::uint32_t{EPOLLOUT};
  if (queued_ < limit_) events |= EPOLLIN;
  loop_.change(socket_, events);
}

void Line::end() {
  ended_ = true;
  resting_.cancel();
  queue_.clear();
  queued_ = 0;
  loop_.forget(socket_);
  on_end_();
}

Result<std::string> receive_packet(const Fd& socket) {
  std::string packet(kLargestPacket, '\0');
  const Received got = receive(socket, packet.data(), packet.size(), 0);
  if (got.size < 0) return fail_errno("receive a packet");
  if (got.size == 0 || got.cut) return fail(Code::kInternal, "receive a packet: the other side has closed");
  packet.resize(static_cast<std::size_t>(got.size));
  return packet;
}

Result<> send_packet(const Fd& socket, std::string_view bytes) {
  if (::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0) return fail_errno("send a packet");
  return Ok{};
}

}  // namespace sbx::gate
