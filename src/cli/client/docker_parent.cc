// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/client/docker_parent.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "base/child.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/socket.h"

namespace sbx::cli {
namespace {

constexpr const char* kSocketVariable = "DOCKER_CLI_PLUGIN_SOCKET";
// Every docker that knows plugins sets it for them. Without it we were started by another program, which may end.
constexpr const char* kDockerVariable = "DOCKER_CLI_PLUGIN_ORIGINAL_CLI_COMMAND";

// Go writes the name of an abstract socket with an @ in the place of the zero byte.
Result<Fd> connect_abstract(std::string_view name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (name.size() > sizeof address.sun_path) return fail(Code::kInvalid, "the name of docker's socket is too long");
  std::copy(name.begin() + 1, name.end(), address.sun_path + 1);
  Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  if (!socket || ::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), size) != 0)
    return fail_errno("connect to docker");
  return socket;
}

Fd docker_socket() {
  const char* name = std::getenv(kSocketVariable);
  if (name == nullptr || *name == '\0') return Fd();
  auto socket = *name == '@' ? connect_abstract(name) : connect_unix(name);
  if (!socket) log_debug("{}: {}", kSocketVariable, socket.error().what());
  return socket ? std::move(*socket) : Fd();
}

Fd docker_process() {
  if (std::getenv(kDockerVariable) == nullptr) return Fd();
  auto process = open_pidfd(::getppid());
  return process ? std::move(*process) : Fd();
}

// Docker says nothing on it, and a later one that does is not ending.
bool has_ended(const Fd& socket) {
  std::array<char, 64> words;
  const ssize_t n = ::recv(socket.get(), words.data(), words.size(), MSG_DONTWAIT);
  return n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
}

void pass_on_end(const Fd& socket, const Fd& process) {
  for (;;) {
    std::array<pollfd, 2> ready{{{socket.get(), POLLIN, 0}, {process.get(), POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) return;
    if (ready[0].revents != 0 && has_ended(socket)) return (void)::kill(::getpid(), SIGTERM);
    if (ready[1].revents != 0) return (void)::kill(::getpid(), SIGHUP);
  }
}

}  // namespace

void follow_docker() {
  Fd socket = docker_socket();
  Fd process = docker_process();
  if (!socket && !process) return;
  // No signal is for this thread: those that wait for one are others.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([socket = std::move(socket), process = std::move(process)] { pass_on_end(socket, process); }).detach();
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace sbx::cli
