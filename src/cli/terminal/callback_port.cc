// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/callback_port.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/clock.h"
#include "exchange/exec_stream.h"

namespace sbx::cli {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMostConnections = 16;
constexpr milliseconds kLook{2000};  // how often it is looked whether something still listens in the sandbox
constexpr std::size_t kPieceOfCallback = 16u << 10;

template <class Address>
Result<Fd> listening(const Address& at, int family) {
  Fd socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return fail_errno("make a socket");
  const int on = 1;
  // Not SO_REUSEPORT: a port that another program has stays that program's.
  (void)::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (family == AF_INET6) (void)::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0 || ::listen(socket.get(), 4) != 0)
    return errno == EADDRINUSE ? Result<Fd>(fail(Code::kConflict, "another program has the port"))
                               : fail_errno("listen on the port");
  return socket;
}

Result<Fd> listening_on_ipv4(std::uint16_t port) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return listening(at, AF_INET);
}

Result<Fd> listening_on_ipv6(std::uint16_t port) {
  sockaddr_in6 at{};
  at.sin6_family = AF_INET6;
  at.sin6_port = htons(port);
  at.sin6_addr = in6addr_loopback;
  return listening(at, AF_INET6);
}

void shut_down(const Fd& socket) {
  if (socket) ::shutdown(socket.get(), SHUT_RDWR);
}

// Until the browser has sent all, or the sandbox takes no more.
void send_to_sandbox(const Fd& browser, exchange::ExecStream& stream) {
  std::array<char, kPieceOfCallback> buffer;
  for (;;) {
    const ssize_t n = ::recv(browser.get(), buffer.data(), buffer.size(), 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0 || !stream.write(std::string_view(buffer.data(), static_cast<std::size_t>(n)))) break;
  }
  (void)stream.end_input();
}

bool send_all(const Fd& socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// Until the sandbox has answered all.
void send_to_browser(const Fd& browser, exchange::ExecStream& stream) {
  for (;;) {
    const auto piece = stream.read();
    if (!piece || piece->empty() || !send_all(browser, *piece)) break;
  }
  shut_down(browser);
}

// Signals are for the threads that wait for them.
void block_signals() {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

Result<std::unique_ptr<CallbackPort>> CallbackPort::open(std::uint16_t port, Inside inside,
                                                         std::chrono::seconds limit) {
  TRY_ASSIGN(Fd four, listening_on_ipv4(port));
  auto six = listening_on_ipv6(port);
  if (!six && six.error().code() == Code::kConflict) return fail(std::move(six).error());
  Fd wake(::eventfd(0, EFD_CLOEXEC));
  if (!wake) return fail_errno("make an event");
  return std::unique_ptr<CallbackPort>(
      new CallbackPort(std::move(four), six ? std::move(*six) : Fd(), std::move(wake), std::move(inside), limit));
}

CallbackPort::CallbackPort(Fd four, Fd six, Fd wake, Inside inside, std::chrono::seconds limit)
    : four_(std::move(four)),
      six_(std::move(six)),
      wake_(std::move(wake)),
      inside_(std::move(inside)),
      listener_([this, limit] { listen(limit); }) {}

CallbackPort::~CallbackPort() {
  const std::uint64_t one = 1;
  (void)!::write(wake_.get(), &one, sizeof one);
  listener_.join();
  {
    const MutexLock lock(mutex_);
    is_ending_ = true;
    for (Carried& carried : carried_) {
      shut_down(carried.browser);
      shut_down(carried.sandbox);
    }
  }
  for (Carried& carried : carried_) carried.thread.join();
}

void CallbackPort::listen(std::chrono::seconds limit) {
  block_signals();
  const SteadyTime deadline = steady_now() + limit;
  SteadyTime next_look = steady_now() + kLook;
  while (steady_now() < deadline) {
    std::array<pollfd, 3> ready{{{wake_.get(), POLLIN, 0}, {four_.get(), POLLIN, 0}, {six_.get(), POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), static_cast<int>(kLook.count())) < 0 && errno != EINTR) break;
    if (ready[0].revents != 0) break;
    if (ready[1].revents != 0) accept_from(four_);
    if (ready[2].revents != 0) accept_from(six_);
    drop_done();
    if (steady_now() < next_look) continue;
    if (!inside_.is_waited_for()) break;
    next_look = steady_now() + kLook;
  }
  four_.reset();
  six_.reset();
}

void CallbackPort::accept_from(const Fd& listener) {
  Fd browser(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  const MutexLock lock(mutex_);
  if (!browser || carried_.size() == kMostConnections) return;
  Carried& carried = carried_.emplace_back();
  carried.browser = std::move(browser);
  carried.thread = std::thread([this, &carried] { carry(carried); });
}

// Keeps a copy of the sandbox's end for the destructor to shut down. False: the destructor has already looked, or there
// is no descriptor for the copy; without one it could not end this connection.
bool CallbackPort::can_be_ended(Carried& carried, const Fd& sandbox) {
  auto copy = duplicate(sandbox);
  const MutexLock lock(mutex_);
  if (copy) carried.sandbox = std::move(*copy);
  return carried.sandbox && !is_ending_;
}

void CallbackPort::carry(Carried& carried) {
  block_signals();
  auto upgraded = inside_.connect();
  if (upgraded && can_be_ended(carried, upgraded->connection)) {
    exchange::ExecStream stream(std::move(*upgraded));
    std::thread sender([&] {
      block_signals();
      send_to_sandbox(carried.browser, stream);
    });
    send_to_browser(carried.browser, stream);
    sender.join();
  }
  shut_down(carried.browser);
  const MutexLock lock(mutex_);
  carried.done = true;
}

void CallbackPort::drop_done() {
  const MutexLock lock(mutex_);
  carried_.remove_if([](Carried& carried) {
    if (carried.done) carried.thread.join();
    return carried.done;
  });
}

}  // namespace sbx::cli
