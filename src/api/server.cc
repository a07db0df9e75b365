// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/server.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "base/log.h"
#include "base/socket.h"

namespace sbx::api {
namespace {

constexpr int kAcceptPause = 50;  // milliseconds

// After a body in pieces, because some of it may not have been read.
bool is_last(const http::Request& request) {
  return request.header("Connection").value_or("") == "close" || body_for(request) == Body::kInPieces;
}

void send_and_close(Connection& connection, http::Response response) {
  response.headers.emplace_back("Connection", "close");
  (void)connection.send(http::render(response));
}

// The status of a request that never became one.
http::Response refusal(const Error& error) {
  http::Response response = error_response(error);
  if (error.code() == Code::kTimeout) response.status = 408;
  return response;
}

bool is_ours(const Fd& socket) {
  const auto peer = peer_of(socket);
  return peer && (peer->uid == ::geteuid() || peer->uid == 0);
}

// False: the connection is at its end, or not ours any more.
bool respond(Connection& connection, Services& services, const http::Request& request) {
  Answer answered = answer(services, request, connection);
  auto* response = std::get_if<http::Response>(&answered);
  if (response == nullptr) return false;
  const bool last = is_last(request) || response->header("Connection").value_or("") == "close";
  if (last && !response->header("Connection")) response->headers.emplace_back("Connection", "close");
  return connection.send(http::render(*response)) && !last;
}

bool serve_one(Connection& connection, Services& services) {
  auto request = connection.next_request(&body_for);
  if (!request) {
    send_and_close(connection, refusal(request.error()));
    connection.linger();
    return false;
  }
  if (!*request) return false;
  const bool goes_on = respond(connection, services, **request);
  if (body_for(**request) == Body::kInPieces) connection.linger();
  return goes_on;
}

}  // namespace

Result<std::unique_ptr<Server>> Server::start(Fd listener, Services& services, Patience patience) {
  Fd wake(::eventfd(0, EFD_CLOEXEC));
  if (!wake) return fail_errno("make an eventfd");
  // So that a client that has gone between poll and accept does not stop us.
  TRY(set_nonblocking(listener));
  return std::unique_ptr<Server>(new Server(std::move(listener), std::move(wake), services, patience));
}

Server::Server(Fd listener, Fd wake, Services& services, Patience patience)
    : listener_(std::move(listener)), wake_(std::move(wake)), services_(services), patience_(patience) {
  acceptor_ = std::thread([this] { accept_until_stopped(); });
}

Server::~Server() { (void)stop(std::chrono::hours(1)); }

bool Server::stop(std::chrono::milliseconds limit) {
  const std::uint64_t one = 1;
  (void)!::write(wake_.get(), &one, sizeof one);
  if (acceptor_.joinable()) acceptor_.join();
  MutexLock lock(mutex_);
  stopping_ = true;
  // Ends waiting reads and streams; a request that is being worked on can still be answered.
  for (const int socket : connections_) ::shutdown(socket, SHUT_RD);
  return left_.wait_for(lock, limit, [this]() SBX_REQUIRES(mutex_) { return connections_.empty(); });
}

void Server::accept_until_stopped() {
  for (;;) {
    std::array<pollfd, 2> ready{{{listener_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) return log_error("poll: errno {}", errno);
    if (ready[1].revents != 0) return;
    if (ready[0].revents == 0) continue;
    auto socket = accept_unix(listener_);
    if (socket)
      take(std::move(*socket));
    else
      ::poll(&ready[1], 1, kAcceptPause);  // out of descriptors, most likely: give others time to close some
  }
}

void Server::take(Fd socket) {
  if (!is_ours(socket)) return refuse(std::move(socket), Error(Code::kForbidden, "this daemon serves another user"));
  const int number = socket.get();
  if (!admit(number)) return refuse(std::move(socket), Error(Code::kUnavailable, "too many connections at once"));
  try {
    std::thread([this, socket = std::move(socket)]() mutable { serve(std::move(socket)); }).detach();
  } catch (const std::system_error& error) {
    dismiss(number);
    log_error("start a thread: {}", error.what());
  }
}

void Server::refuse(Fd socket, const Error& error) {
  Connection connection(std::move(socket), patience_);
  send_and_close(connection, error_response(error));
}

bool Server::admit(int socket) {
  const MutexLock lock(mutex_);
  if (connections_.size() >= kMostConnections) return false;
  connections_.insert(socket);
  return true;
}

// The socket leaves the set before it is closed, because its number may be another's a moment later.
void Server::dismiss(int socket) {
  const MutexLock lock(mutex_);
  connections_.erase(socket);
  left_.notify_all();
}

void Server::serve(Fd socket) {
  Connection connection(std::move(socket), patience_);
  while (serve_one(connection, services_)) {
    const MutexLock lock(mutex_);
    if (stopping_) break;
  }
  dismiss(connection.socket().get());
}

}  // namespace sbx::api
