// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/docker/docker_daemon.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <utility>

#include "base/child.h"
#include "base/file.h"
#include "base/json.h"
#include "base/socket.h"
#include "guest/boot/accounts.h"
#include "guest/docker/container_runtime.h"
#include "guest/docker/control_groups.h"
#include "guest/exec/lookup.h"
#include "guest/exec/privileges.h"
#include "guest/exec/process.h"
#include "guest/exec/socket_wall.h"

namespace sbx::guest {
namespace {

constexpr int kListenerNumber = 3;  // where systemd puts the first socket that it passes on
constexpr int kNoDaemon = 127;
constexpr std::chrono::seconds kStartLimit{10};
constexpr const char* kUsualPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
constexpr const char* kUsualSocket = "/run/docker.sock";

gid_t docker_group() {
  const auto groups = read_file("/etc/group");
  const auto group = groups ? find_group(*groups, "docker") : std::nullopt;
  return group.value_or(kAgentUid);
}

Result<Fd> open_socket() {
  TRY(make_directories(kOfferedSockets, 0755));
  TRY_ASSIGN(Fd listener, listen_unix(kDockerSocket, 0660));
  TRY(set_nonblocking(listener));
  if (::chown(kDockerSocket, 0, docker_group()) != 0) return fail_errno("give the socket to the group docker");
  if (::symlink(kDockerSocket, kUsualSocket) != 0 && errno != EEXIST) return fail_errno("link the socket");
  return listener;
}

Result<> pass_descriptors(const Fd& listener) {
  TRY_ASSIGN(const Fd nothing, open_path("/dev/null", O_RDONLY));
  TRY_ASSIGN(const Fd log, open_path(kDockerLog, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0644));
  const std::pair<int, int> moves[] = {{nothing.get(), STDIN_FILENO},
                                       {log.get(), STDOUT_FILENO},
                                       {log.get(), STDERR_FILENO},
                                       {listener.get(), kListenerNumber}};
  for (const auto& [from, to] : moves)
    if (::dup3(from, to, 0) < 0 && errno != EINVAL) return fail_errno("pass on a descriptor");
  // dup3 leaves one that is there already as it is.
  if (::fcntl(kListenerNumber, F_SETFD, 0) != 0) return fail_errno("pass on the socket");
  close_all_but({STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, kListenerNumber});
  return Ok{};
}

[[noreturn]] void end_unstarted(const Error& why, int code = 1) {
  const std::string line = "sandbox-init: " + why.what() + "\n";
  (void)!::write(STDERR_FILENO, line.data(), line.size());
  ::_exit(code);
}

// Without control groups, as in a sandbox of an ordinary user to whom the host has given none. dockerd calls that
// rootless: containers run, and limits of their own are warned of and ignored. Those of the sandbox hold all the same.
constexpr const char* kUngrouped = "--rootless";

void say_ungrouped(const Error& why) {
  const std::string line = "sandbox-init: containers get no limits of their own: " + why.what() + "\n";
  (void)!::write(STDERR_FILENO, line.data(), line.size());
}

// The child's side. It becomes the guest's root before it touches the guest's files.
[[noreturn]] void run_daemon(const Fd& listener, const wire::GuestConfig& config, const DescriptorLimit& descriptors) {
  if (const auto done = start_afresh(config.max_processes, descriptors); !done) end_unstarted(done.error());
  const auto groups = prepare_control_groups();
  if (const auto offered = offer_runtime(); !offered) end_unstarted(offered.error());
  // SECURITY: the channel is closed before it has the rights of the guest's root, who may trace it then.
  if (const auto taken = pass_descriptors(listener); !taken) end_unstarted(taken.error());
  Identity root;
  if (const auto done = become(root, true); !done) end_unstarted(done.error());
  if (::chdir("/") != 0) end_unstarted(Error::from_errno("enter /"));
  const auto file = find_program("dockerd", kUsualPath);
  if (!file) end_unstarted(file.error(), kNoDaemon);
  const std::string path = std::string("PATH=") + kRuntimeDirectory + ":" + kUsualPath;
  const std::string pid = "LISTEN_PID=" + std::to_string(::getpid());
  const std::array<const char*, 5> environment{path.c_str(), "HOME=/root", "LISTEN_FDS=1", pid.c_str(), nullptr};
  if (!groups) say_ungrouped(groups.error());
  const std::array<const char*, 4> arguments{"dockerd", "--host=fd://", groups ? nullptr : kUngrouped, nullptr};
  ::execve(file->c_str(), const_cast<char**>(arguments.data()), const_cast<char**>(environment.data()));
  end_unstarted(Error::from_errno("run " + *file));
}

std::string refusal_for(int status) {
  const Exit exit = Exit::from_wait_status(status);
  if (exit.signal == 0 && exit.code == kNoDaemon)
    return "this sandbox has no dockerd: sudo apt-get install docker.io, or use a template that has it";
  return "dockerd ended with " +
         (exit.signal != 0 ? "signal " + std::to_string(exit.signal) : "status " + std::to_string(exit.code)) +
         ": see " + kDockerLog + " in the sandbox";
}

std::string answer_with(const std::string& why) {
  const std::string body = dump(Json{{"message", why}}) + "\n";
  return "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

}  // namespace

DockerDaemon::DockerDaemon(loop::Loop& loop, const wire::GuestConfig& config, const DescriptorLimit& descriptors,
                           Log log)
    : loop_(loop), config_(config), descriptors_(descriptors), log_(std::move(log)) {}

DockerDaemon::~DockerDaemon() {
  if (listener_) loop_.forget(listener_);
  for (const auto& [number, client] : refused_) loop_.forget(client);
}

Result<> DockerDaemon::start() {
  TRY_ASSIGN(listener_, open_socket());
  const bool at_once = config_.docker && config_.docker->at_once;
  loop_.watch(listener_, at_once ? 0u : std::uint32_t{EPOLLIN}, [this](std::uint32_t) { wake(); });
  if (at_once) wake();
  return Ok{};
}

// From here on its clients are dockerd's.
void DockerDaemon::wake() {
  loop_.change(listener_, 0);
  if (const auto launched = launch(); !launched) {
    refuse_waiting("dockerd cannot be started: " + launched.error().what());
    loop_.change(listener_, EPOLLIN);
  }
}

Result<> DockerDaemon::launch() {
  TRY_ASSIGN(pid_, fork_to([this] { run_daemon(listener_, config_, descriptors_); }));
  launched_ = steady_now();
  return Ok{};
}

// One that ends as soon as it is started would be started for the same clients again and again.
bool DockerDaemon::reaped(pid_t pid, int status) {
  if (pid_ == 0 || pid != pid_) return false;
  pid_ = 0;
  if (steady_now() - launched_ < kStartLimit) refuse_waiting(refusal_for(status));
  loop_.change(listener_, EPOLLIN);
  return true;
}

void DockerDaemon::refuse_waiting(const std::string& why) {
  why_ = why;
  log_("docker: " + why);
  for (;;) {
    Fd client(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!client) return;
    const int number = client.get();
    loop_.watch(client, EPOLLIN, [this, number](std::uint32_t) { refuse(number); });
    refused_[number] = std::move(client);
  }
}

// Its request is read first: a client that cannot send it would not look for an answer.
void DockerDaemon::refuse(int number) {
  const Fd client = std::move(refused_.extract(number).mapped());
  loop_.forget(client);
  std::array<char, 16384> request;
  (void)!::recv(client.get(), request.data(), request.size(), MSG_DONTWAIT);
  const std::string answer = answer_with(why_);
  (void)!::send(client.get(), answer.data(), answer.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
}

}  // namespace sbx::guest
