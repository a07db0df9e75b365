// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/shim.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/operation.h"
#include "base/poll.h"

namespace sbx::sandboxes {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kAfterKill = seconds(10);
constexpr milliseconds kHandOver = seconds(10);
constexpr milliseconds kDetachedStart = seconds(60);
constexpr milliseconds kSessionList = seconds(5);
constexpr milliseconds kSessionEnd = seconds(15);  // it is killed after two

}  // namespace

bool ShimProcess::wait_for_end(milliseconds limit) const {
  return wait_readable(pidfd, steady_now() + limit).value_or(false);
}

void ShimProcess::kill() const { ::syscall(SYS_pidfd_send_signal, pidfd.get(), SIGKILL, nullptr, 0); }

bool ShimProcess::kill_and_wait() const {
  kill();
  return wait_for_end(kAfterKill);
}

std::optional<Exit> ShimProcess::reap() const {
  siginfo_t info{};
  if (::waitid(P_PIDFD, static_cast<id_t>(pidfd.get()), &info, WEXITED | WNOHANG) != 0 || info.si_pid == 0)
    return std::nullopt;
  if (info.si_code == CLD_EXITED) return Exit{info.si_status, 0};
  return Exit{128 + info.si_status, info.si_status};
}

Result<wire::ShimStatus> ShimSocket::status(milliseconds limit) const {
  return socket_.ask_for<wire::ShimStatus>(wire::StatusCall{}, limit);
}

Result<> ShimSocket::exec(const wire::RequestKey& key, const wire::ExecRequest& request, const Fd& client) const {
  TRY(socket_.ask(request_of(wire::ExecCall{key.text(), request}), kHandOver, {client.get()}));
  return Ok{};
}

Result<wire::DetachedStart> ShimSocket::exec_detached(const wire::RequestKey& key,
                                                      const wire::ExecRequest& request) const {
  return socket_.ask_for<wire::DetachedStart>(wire::ExecCall{key.text(), request}, kDetachedStart);
}

Result<wire::SessionList> ShimSocket::sessions() const {
  return socket_.ask_for<wire::SessionList>(wire::SessionsCall{}, kSessionList);
}

Result<> ShimSocket::attach(wire::SessionNumber session, const wire::AttachRequest& request, const Fd& client) const {
  TRY(socket_.ask(request_of(wire::AttachCall{session, request}), kHandOver, {client.get()}));
  return Ok{};
}

Result<wire::SessionInfo> ShimSocket::end_session(wire::SessionNumber session) const {
  return socket_.ask_for<wire::SessionInfo>(wire::EndSessionCall{session}, kSessionEnd);
}

Result<> ShimSocket::connect_to_docker(const Fd& client) const {
  TRY(socket_.ask(request_of(wire::DockerCall{}), kHandOver, {client.get()}));
  return Ok{};
}

Result<> ShimSocket::pipe(const wire::ExecRequest& request, const Fd& client) const {
  TRY(socket_.ask(request_of(wire::PipeCall{request}), kHandOver, {client.get()}));
  return Ok{};
}

Result<> ShimSocket::connect_to_mcp(const wire::McpWanted& wanted, const Fd& server) const {
  TRY(socket_.ask(request_of(wire::McpCall{wanted}), kHandOver, {server.get()}));
  return Ok{};
}

Result<> ShimSocket::revoke_mcp(const std::string& server) const {
  TRY(socket_.ask(request_of(wire::McpRevokeCall{server}), kHandOver));
  return Ok{};
}

Result<Fd> ShimSocket::ask_to_stop(milliseconds grace) const {
  return socket_.send(request_of(wire::StopCall{grace.count()}), grace + seconds(3));
}

Result<Fd> ShimSocket::watch() const { return socket_.send(request_of(wire::WatchCall{}), seconds(1)); }

}  // namespace sbx::sandboxes
