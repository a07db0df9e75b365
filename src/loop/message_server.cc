// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "loop/message_server.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace sbx::loop {
namespace {

constexpr std::size_t kMostDescriptors = 8;  // as send_message
constexpr std::size_t kPiece = 64u << 10;
constexpr auto kRest = std::chrono::milliseconds(100);

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

std::uint32_t length_at(const std::string& input) {
  std::uint32_t length = 0;
  std::memcpy(&length, input.data(), sizeof length);
  return length;
}

// How many bytes the message has, as far as is known: its length comes first.
std::size_t size_of(const std::string& input) {
  return input.size() < sizeof(std::uint32_t) ? sizeof(std::uint32_t) : sizeof(std::uint32_t) + length_at(input);
}

void take_descriptors(msghdr& header, std::vector<Fd>& fds) {
  for (cmsghdr* c = CMSG_FIRSTHDR(&header); c != nullptr; c = CMSG_NXTHDR(&header, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int number = -1;
      std::memcpy(&number, CMSG_DATA(c) + i * sizeof(int), sizeof number);
      fds.emplace_back(number);
    }
  }
}

// As recv, but never more than `size` bytes, which are appended to `input`.
ssize_t receive(const Fd& socket, std::size_t size, std::string& input, std::vector<Fd>& fds) {
  std::array<char, kPiece> piece;
  iovec part{piece.data(), std::min(size, piece.size())};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMostDescriptors)> control{};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  const ssize_t n = ::recvmsg(socket.get(), &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (n < 0) return n;
  take_descriptors(header, fds);
  input.append(piece.data(), static_cast<std::size_t>(n));
  return n;
}

}  // namespace

MessageServer::MessageServer(Loop& loop, Fd listener, uid_t owner, const Limits& limits, OnRequest on_request)
    : loop_(loop), listener_(std::move(listener)), owner_(owner), limits_(limits), on_request_(std::move(on_request)) {
  (void)set_nonblocking(listener_);  // fails only for a bad descriptor, on which no client comes
  loop_.watch(listener_, EPOLLIN, [this](std::uint32_t) { accept(); });
}

MessageServer::~MessageServer() {
  on_sent_ = nullptr;
  while (!connections_.empty()) drop(connections_.begin()->first);
  loop_.forget(listener_);
}

void MessageServer::accept() {
  Fd socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!socket && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)) return rest();
  if (!socket) return;
  const auto peer = peer_of(socket);
  if (!peer || (peer->uid != owner_ && peer->uid != 0)) return;
  const Asker asker = next_++;
  Connection& connection = connections_.emplace(asker, Connection{std::move(socket)}).first->second;
  loop_.watch(connection.socket, EPOLLIN, [this, asker](std::uint32_t events) { ready(asker, events); });
  limit(asker, connection);
  if (connections_.size() >= limits_.askers) loop_.change(listener_, 0);
}

void MessageServer::listen_again() {
  if (connections_.size() < limits_.askers && !resting_) loop_.change(listener_, EPOLLIN);
}

// The connection stays in the listener's queue, and to ask again at once would be a busy loop.
void MessageServer::rest() {
  loop_.change(listener_, 0);
  resting_ = loop_.after(kRest, [this] { listen_again(); });
}

void MessageServer::limit(Asker asker, Connection& connection) {
  if (!connection.limit) connection.limit = loop_.after(limits_.patience, [this, asker] { drop(asker); });
}

void MessageServer::drop(Asker asker) {
  const auto node = connections_.extract(asker);
  if (node.empty()) return;
  loop_.forget(node.mapped().socket);
  listen_again();
  if (on_sent_) on_sent_();
}

void MessageServer::ready(Asker asker, std::uint32_t events) {
  const auto it = connections_.find(asker);
  if (it == connections_.end()) return;
  Connection& connection = it->second;
  if ((events & EPOLLOUT) != 0 && !write_some(asker, connection)) return;
  const bool hung_up = (events & (EPOLLHUP | EPOLLERR)) != 0;
  if ((events & EPOLLIN) == 0) return hung_up ? drop(asker) : void();
  if (connection.asked) return expect_no_more(asker, connection, hung_up);
  read_request(asker, connection);
}

// The buffer grows with what arrives and not with what the length announces.
void MessageServer::read_request(Asker asker, Connection& connection) {
  std::string& input = connection.input;
  const ssize_t n = receive(connection.socket, size_of(input) - input.size(), input, connection.fds);
  if (n < 0 && would_block()) return;
  const bool broken = n <= 0 || connection.fds.size() > kMostDescriptors;
  if (broken || size_of(input) > sizeof(std::uint32_t) + kLargestMessage) return drop(asker);
  if (input.size() < size_of(input) || input.size() < sizeof(std::uint32_t)) return;
  connection.asked = true;
  connection.limit.cancel();
  input.erase(0, sizeof(std::uint32_t));
  // It may answer at once, and so destroy the connection.
  on_request_(asker, Message{std::exchange(input, {}), std::exchange(connection.fds, {})});
}

// An asker that is gone needs no answer; one that has only said that it sends no more does.
void MessageServer::expect_no_more(Asker asker, Connection& connection, bool hung_up) {
  std::string nothing;
  std::vector<Fd> unwanted;
  const ssize_t n = receive(connection.socket, 1, nothing, unwanted);
  if (n < 0 && would_block()) return;
  if (n != 0 || hung_up) return drop(asker);
  connection.ended = true;
  update_interest(connection);
}

void MessageServer::answer(Asker asker, std::string_view body) {
  if (const auto it = connections_.find(asker); it != connections_.end()) {
    it->second.last = true;
    (void)tell(asker, body);
  }
}

bool MessageServer::tell(Asker asker, std::string_view body) {
  const auto it = connections_.find(asker);
  if (it == connections_.end()) return false;
  Connection& connection = it->second;
  const auto length = static_cast<std::uint32_t>(body.size());
  connection.output.append(reinterpret_cast<const char*>(&length), sizeof length);
  connection.output.append(body);
  if (!write_some(asker, connection)) return false;
  if (connection.last) limit(asker, connection);
  const bool reads = connection.last || connection.output.size() <= limits_.unread;
  if (!reads) drop(asker);
  return reads;
}

// False: the connection is gone.
bool MessageServer::write_some(Asker asker, Connection& connection) {
  std::string& output = connection.output;
  const ssize_t n = ::send(connection.socket.get(), output.data(), output.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (n < 0 && !would_block()) return drop(asker), false;
  if (n > 0) output.erase(0, static_cast<std::size_t>(n));
  update_interest(connection);
  if (!output.empty()) return true;
  if (connection.last) return drop(asker), false;
  if (on_sent_) on_sent_();
  return true;
}

void MessageServer::update_interest(const Connection& connection) {
  const std::uint32_t in = connection.ended ? 0u : static_cast<std::uint32_t>(EPOLLIN);
  loop_.change(connection.socket, in | (connection.output.empty() ? 0u : static_cast<std::uint32_t>(EPOLLOUT)));
}

bool MessageServer::has_unsent() const {
  return std::ranges::any_of(connections_, [](const auto& each) { return !each.second.output.empty(); });
}

}  // namespace sbx::loop
