// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/docker_sockets.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#include "base/error_line.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/socket.h"

namespace sbx::sandboxes {
namespace {

// As the Docker daemon answers, so that its clients show it.
std::string refusal(const Error& why) {
  const std::string body = dump(Json{{"message", error_line(why)}}) + "\n";
  return "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

bool is_served(const Fd& client) {
  const auto peer = peer_of(client);
  return peer && (peer->uid == 0 || peer->uid == ::getuid());
}

// Out of descriptors: clients wait in the kernel's queue, and we do not spin.
void rest() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

}  // namespace

DockerSockets::DockerSockets(Execs& execs) : execs_(execs) {}

DockerSockets::~DockerSockets() {
  while (!stop(std::chrono::hours(1))) continue;
}

bool DockerSockets::stop(std::chrono::milliseconds limit) {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  acceptor_.stop();
  MutexLock lock(mutex_);
  return left_.wait_for(lock, limit, [this]() SBX_REQUIRES(mutex_) { return clients_ == 0; });
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
  const MutexLock lock(mutex_);
  if (std::ranges::any_of(entries_, [&](const auto& entry) { return entry.second.name == sandbox.name(); }))
    return Ok{};
  TRY_ASSIGN(Fd listener, listen_unix(sandbox.directory().docker_socket(), 0600));
  TRY(set_nonblocking(listener));
  TRY_WITHIN(sandbox.directory().docker_socket(), acceptor_.watch(listener));
  const int number = listener.get();
  entries_[number] = {sandbox.name(), std::move(listener)};
  return Ok{};
}

void DockerSockets::close(const std::string& name) {
  const MutexLock lock(mutex_);
  std::erase_if(entries_, [&](const auto& entry) { return entry.second.name == name; });
}

// The number may be another's by now: not blocking, it is then accepted from when that one is ready.
void DockerSockets::accept_from(int listener) {
  Fd client;
  std::string name;
  {
    MutexLock lock(mutex_);
    const auto entry = entries_.find(listener);
    if (entry == entries_.end()) return;
    client = Fd(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
    name = entry->second.name;
    if (!client && (errno == EMFILE || errno == ENFILE)) {
      lock.unlock();
      return rest();
    }
    if (!client || stopping_ || clients_ >= kMostClients || !is_served(client)) return;
    ++clients_;
  }
  take(std::move(client), name);
}

// In a thread of its own, because a sandbox may have to be started first.
void DockerSockets::take(Fd client, const std::string& name) {
  try {
    std::thread([this, client = std::move(client), name]() mutable {
      hand_over(client, name);
      client.reset();
      dismiss();
    }).detach();
  } catch (const std::system_error& error) {
    dismiss();
    log_error("start a thread: {}", error.what());
  }
}

void DockerSockets::dismiss() {
  const MutexLock lock(mutex_);
  --clients_;
  left_.notify_all();
}

void DockerSockets::hand_over(const Fd& client, const std::string& name) {
  const auto handed = execs_.connect_to_docker(name, client);
  if (!handed) (void)send_all(client, refusal(handed.error()), "refuse a client of docker.sock");
}

}  // namespace sbx::sandboxes
