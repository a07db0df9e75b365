// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/shim.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "wire/sandbox.h"

namespace sbx::sandboxes {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kHandOver = seconds(10);
constexpr milliseconds kDetachedStart = seconds(60);

pid_t decode_pid(Fields& fields, const char* name) {
  const std::int64_t pid = fields.integer(name, 0);
  if (pid < 0 || pid > INT32_MAX) fields.reject("\"" + std::string(name) + "\" is out of range");
  return static_cast<pid_t>(pid);
}

Json exec_message(const wire::RequestKey& key, const wire::ExecRequest& request) {
  return {{"op", "exec"}, {"key", key.text()}, {"request", encode(request)}};
}

}  // namespace

bool Shim::wait_for_end(milliseconds limit) const {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    pollfd ended{pidfd.get(), POLLIN, 0};
    const int n = ::poll(&ended, 1, left > 0 ? static_cast<int>(left) : 0);
    if (n > 0) return true;
    if (n == 0 && left <= 0) return false;
    if (n < 0 && errno != EINTR) return false;
  }
}

void Shim::kill() const { ::syscall(SYS_pidfd_send_signal, pidfd.get(), SIGKILL, nullptr, 0); }

std::optional<Exit> Shim::reap() const {
  siginfo_t info{};
  if (::waitid(P_PIDFD, static_cast<id_t>(pidfd.get()), &info, WEXITED | WNOHANG) != 0 || info.si_pid == 0)
    return std::nullopt;
  if (info.si_code == CLD_EXITED) return Exit{info.si_status, 0};
  return Exit{128 + info.si_status, info.si_status};
}

Result<ShimStatus> decode_shim_status(const Json& json) {
  Fields fields(json, "shim status");
  ShimStatus status;
  status.shim_pid = decode_pid(fields, "shim_pid");
  status.init_pid = decode_pid(fields, "init_pid");
  if (const Json* timings = fields.value("timings"); timings != nullptr && timings->is_object())
    status.timings = *timings;
  status.isolation = fields.text("isolation", "");
  status.limits_enforced = fields.boolean("limits_enforced", true);
  status.covered_sockets = fields.texts("covered_sockets");
  status.sockets_searched = fields.boolean("sockets_searched", true);
  TRY(fields.finish(/*allow_unknown=*/true));
  return status;
}

Result<ShimStatus> ShimSocket::status(milliseconds limit) const {
  TRY_ASSIGN(const Json answer, socket_.ask({{"op", "status"}}, limit));
  return decode_shim_status(answer);
}

Result<> ShimSocket::exec(const wire::RequestKey& key, const wire::ExecRequest& request, const Fd& client) const {
  TRY(socket_.ask(exec_message(key, request), kHandOver, {client.get()}));
  return Ok{};
}

Result<Detached> ShimSocket::exec_detached(const wire::RequestKey& key, const wire::ExecRequest& request) const {
  TRY_ASSIGN(const Json answer, socket_.ask(exec_message(key, request), kDetachedStart));
  if (answer.contains("exit")) {
    TRY_ASSIGN(wire::ExecExit exit, wire::decode_exec_exit(answer["exit"]));
    return Detached(std::move(exit));
  }
  Fields fields(answer, "shim");
  const pid_t pid = decode_pid(fields, "pid");
  TRY(fields.finish(/*allow_unknown=*/true));
  return Detached(pid);
}

Result<Fd> ShimSocket::ask_to_stop(milliseconds grace) const {
  return socket_.send({{"op", "stop"}, {"grace_ms", grace.count()}}, grace + seconds(3));
}

Result<Fd> ShimSocket::watch() const { return socket_.send({{"op", "watch"}}, seconds(1)); }

}  // namespace sbx::sandboxes
