// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/docker_sockets.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/socket.h"

namespace sbx::sandboxes {
namespace {

// As the Docker daemon answers, so that its clients show it.
std::string refusal(const Error& why) {
  const std::string body = dump(Json{{"message", why.what()}}) + "\n";
  return "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

bool is_served(const Fd& client) {
  const auto peer = peer_of(client);
  return peer && (peer->uid == 0 || peer->uid == ::getuid());
}

bool add_to(const Fd& epoll, const Fd& fd) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = fd.get();
  return ::epoll_ctl(epoll.get(), EPOLL_CTL_ADD, fd.get(), &event) == 0;
}

// Out of descriptors: clients wait in the kernel's queue, and we do not spin.
void rest() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

}  // namespace

DockerSockets::DockerSockets(Execs& execs)
    : execs_(execs), epoll_(::epoll_create1(EPOLL_CLOEXEC)), wake_(::eventfd(0, EFD_CLOEXEC)) {
  (void)add_to(epoll_, wake_);
}

DockerSockets::~DockerSockets() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  const std::uint64_t one = 1;
  (void)!::write(wake_.get(), &one, sizeof one);
  if (acceptor_.joinable()) acceptor_.join();
  std::unique_lock lock(mutex_);
  left_.wait(lock, [this] { return clients_ == 0; });
}

void DockerSockets::follow(const Sandbox& sandbox) {
  if (!wire::has_docker(sandbox.record().docker)) {
    close(sandbox.name());
    return (void)remove_file(sandbox.directory().docker_socket());
  }
  if (const auto opened = open(sandbox); !opened)
    log_warning("sandbox {} has no docker.sock: {}", sandbox.name(), opened.error().what());
}

Result<> DockerSockets::open(const Sandbox& sandbox) {
  const std::scoped_lock lock(mutex_);
  if (std::ranges::any_of(entries_, [&](const auto& entry) { return entry.second.name == sandbox.name(); }))
    return Ok{};
  TRY_ASSIGN(Fd listener, listen_unix(sandbox.directory().docker_socket(), 0600));
  TRY(set_nonblocking(listener));
  if (!add_to(epoll_, listener)) return fail_errno("watch " + sandbox.directory().docker_socket());
  const int number = listener.get();
  entries_[number] = {sandbox.name(), std::move(listener)};
  if (!acceptor_.joinable()) acceptor_ = std::thread([this] { accept_until_stopped(); });
  return Ok{};
}

void DockerSockets::close(const std::string& name) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(entries_, [&](const auto& entry) {
    if (entry.second.name != name) return false;
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, entry.first, nullptr);
    return true;
  });
}

void DockerSockets::accept_until_stopped() {
  std::array<epoll_event, 16> events;
  for (;;) {
    const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < count; ++i) {
      const int ready = events[static_cast<std::size_t>(i)].data.fd;
      if (ready == wake_.get()) return;
      accept_from(ready);
    }
  }
}

// The number may be another's by now: not blocking, it is then accepted from when that one is ready.
void DockerSockets::accept_from(int listener) {
  Fd client;
  std::string name;
  {
    const std::scoped_lock lock(mutex_);
    const auto entry = entries_.find(listener);
    if (entry == entries_.end()) return;
    client = Fd(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
    name = entry->second.name;
    if (!client && (errno == EMFILE || errno == ENFILE)) return rest();
    if (!client || stopping_ || clients_ >= kMostClients || !is_served(client)) return;
    ++clients_;
  }
  take(std::move(client), name);
}

// In a thread of its own, because a sandbox may have to be started first.
void DockerSockets::take(Fd client, const std::string& name) {
  std::thread([this, client = std::move(client), name]() mutable {
    hand_over(client, name);
    client.reset();
    const std::scoped_lock lock(mutex_);
    --clients_;
    left_.notify_all();
  }).detach();
}

void DockerSockets::hand_over(const Fd& client, const std::string& name) {
  const auto handed = execs_.connect_to_docker(name, client);
  if (!handed) (void)send_all(client, refusal(handed.error()), "refuse a client of docker.sock");
}

}  // namespace sbx::sandboxes
