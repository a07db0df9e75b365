// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// What the daemon asks of a shim: ARCHITECTURE.md, "The shim's life", has the table.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/fault.h"
#include "base/operation.h"
#include "base/overloaded.h"
#include "base/value.h"
#include "shim/shim.h"
#include "wire/error.h"

namespace sbx::shim {
namespace {

bool is_about_the_end(const wire::ShimRequest& request) {
  return std::holds_alternative<wire::WatchCall>(request) || std::holds_alternative<wire::StopCall>(request);
}

}  // namespace

void Shim::answer(Asker asker, const Json& json) { controls_->answer(asker, dump(json)); }

void Shim::request(Asker asker, Message message) {
  const auto request = read_request<wire::ShimRequest>(message.body);
  if (!request) return answer(asker, wire::encode(request.error()));
  if (ending_ || (lost_ && !is_about_the_end(*request)))
    return answer(asker, wire::encode(Error(Code::kConflict, "the sandbox is ending")));
  std::visit(
      Overloaded{[&](const wire::StatusCall&) { answer(asker, json_of(status())); },
                 [&](const wire::ExecCall& call) { exec(asker, call, std::move(message.fds)); },
                 [&](const wire::StopCall& call) { stop(asker, call); }, [&](const wire::WatchCall&) { watch(asker); },
                 [&](const wire::SessionsCall&) { answer(asker, json_of(sessions_.list())); },
                 [&](const wire::AttachCall& call) { attach(asker, call, std::move(message.fds)); },
                 [&](const wire::EndSessionCall& call) { end_session(asker, call); },
                 [&](const wire::DockerCall&) { connect_to_docker(asker, std::move(message.fds)); },
                 [&](const wire::PipeCall& call) { pipe(asker, call, std::move(message.fds)); },
                 [&](const wire::McpCall& call) { connect_to_mcp(asker, call, std::move(message.fds)); },
                 [&](const wire::McpRevokeCall& call) {
                   mcp_door_.revoke(call.server);
                   answer(asker, {{"ok", true}});
                 }},
      *request);
}

wire::ShimStatus Shim::status() const {
  const backends::CoveredSockets sockets = machine_->covered_sockets();
  return {.shim_pid = ::getpid(),
          .init_pid = machine_->pid(),
          .timings = timings_,
          .isolation = isolation_,
          .limits_enforced = limits_enforced_,
          .execs = static_cast<std::int64_t>(guest_->execs()),
          .docker_clients = static_cast<std::int64_t>(docker_clients_.count()),
          .covered_sockets = sockets.paths,
          .sockets_searched = sockets.all_searched,
          .features = {std::string(wire::kSessionsFeature), std::string(wire::kDockerFeature)}};
}

// Once it is in started_execs_ it counts as run, and the guest is asked after that. A client that sees its connection
// end before a byte of an answer has come knows that the guest was not asked, because 101 comes first (Attached).
void Shim::exec(Asker asker, const wire::ExecCall& call, std::vector<Fd> fds) {
  const auto refuse = [this, asker](const Error& error) { answer(asker, wire::encode(error)); };
  const auto key = call.key.empty() ? wire::RequestKey::random() : wire::RequestKey::parse(call.key);
  if (!key) return refuse(key.error());
  const wire::ExecRequest& request = call.request;
  if (!request.detach && fds.size() != 1) return refuse(Error(Code::kInvalid, "exec needs one descriptor"));
  auto started = started_execs_.find(*key, request);
  if (!started) return refuse(started.error());
  if (*started == nullptr && request.tty)
    if (auto room = sessions_.check_room(); !room) return refuse(room.error());
  if (fault_here("shim.exec")) return refuse(Error(Code::kInternal, "fault injected"));
  const bool is_new = *started == nullptr;
  if (!request.detach) answer(asker, {{"ok", true}});
  if (is_new) *started = started_execs_.add(*key, request);
  (void)fault_here("shim.noted");
  if (!request.detach && request.tty) return exec_session(request, std::move(fds.front()), *started);
  if (!request.detach) return exec_attached(request, std::move(fds.front()));
  (*started)->waiting.push_back(asker);
  if (is_new) request.tty ? exec_session(request, {}, *started) : exec_detached(request, *started);
  tell_beginning(**started);
}

void Shim::exec_attached(const wire::ExecRequest& request, Fd client) {
  const auto place = attached_.emplace(attached_.end());
  tell(wire::EventKind::kExecStart, {{"command", request.command}});
  *place =
      std::make_unique<Attached>(loop_, *guest_, std::move(client), request, [this, place](const wire::ExecExit* exit) {
        tell(wire::EventKind::kExecExit, exit != nullptr ? json_of(*exit) : Json::object());
        if ((*place)->may_be_sending()) {
          leaving_.splice(leaving_.end(), attached_, place);
          (*place)->see_off([this, place] { leaving_.erase(place); });
        } else {
          attached_.erase(place);
        }
        stop_when_told();
      });
}

void Shim::exec_detached(const wire::ExecRequest& request, const std::shared_ptr<StartedExecs::Exec>& exec) {
  const auto place = detached_.emplace(detached_.end());
  const std::int64_t position = output_log_.end();
  tell(wire::EventKind::kExecStart, {{"command", request.command}, {"detach", true}});
  *place = std::make_unique<Detached>(
      loop_, *guest_, output_log_, request,
      [this, exec, position](std::int64_t pid) {
        begun(*exec, {.pid = static_cast<std::int32_t>(pid), .session = {}, .log_position = position, .exit = {}});
      },
      [this, place, exec](const wire::ExecExit& exit) {
        begun(*exec, {.pid = {}, .session = {}, .log_position = {}, .exit = exit});
        tell(wire::EventKind::kExecExit, json_of(exit));
        detached_.erase(place);
        stop_when_told();
      });
}

// Without a client it is detached, and its output goes to the log as well.
void Shim::exec_session(const wire::ExecRequest& request, std::optional<Fd> client,
                        const std::shared_ptr<StartedExecs::Exec>& exec) {
  const auto handlers = [&](wire::SessionNumber number) {
    TerminalSession::Handlers made;
    made.opened = [this, exec, number, position = output_log_.end()](std::int64_t pid) {
      begun(*exec, {.pid = static_cast<std::int32_t>(pid), .session = number, .log_position = position, .exit = {}});
    };
    if (request.detach) made.output = [this](std::string_view bytes) { output_log_.append(bytes); };
    made.ended = [this, exec, number] {
      begun(*exec, {.pid = {}, .session = {}, .log_position = {}, .exit = (*sessions_.find(number))->exit()});
      session_ended(number);
    };
    made.client_gone = [this] { stop_when_told(); };
    return made;
  };
  TerminalSession& session = sessions_.add(*guest_, request, handlers);
  Json detail = {{"command", request.command}, {"session", session.number()}};
  if (request.detach) detail["detach"] = true;
  tell(wire::EventKind::kExecStart, std::move(detail));
  session.open(std::move(client));
}

void Shim::session_ended(wire::SessionNumber number) {
  const TerminalSession& session = **sessions_.find(number);
  Json detail = json_of(*session.exit());
  detail["session"] = number;
  tell(wire::EventKind::kExecExit, std::move(detail));
  const auto waiting = enders_.extract(number);
  if (waiting)
    for (const Asker asker : waiting.mapped()) answer(asker, json_of(session.info()));
  sessions_.forget_oldest();
  stop_when_told();
}

void Shim::attach(Asker asker, const wire::AttachCall& call, std::vector<Fd> fds) {
  const auto refuse = [this, asker](const Error& error) { answer(asker, wire::encode(error)); };
  if (fds.size() != 1) return refuse(Error(Code::kInvalid, "attach needs one descriptor"));
  const auto session = sessions_.find(call.session);
  if (!session) return refuse(session.error());
  if (auto checked = (*session)->check(call.request); !checked) return refuse(checked.error());
  answer(asker, {{"ok", true}});
  (*session)->attach(std::move(fds.front()), call.request);
}

void Shim::connect_to_docker(Asker asker, std::vector<Fd> fds) {
  const auto refuse = [this, asker](const Error& error) { answer(asker, wire::encode(error)); };
  if (fds.size() != 1) return refuse(Error(Code::kInvalid, "docker needs one descriptor"));
  if (docker_clients_.full()) return refuse(Error(Code::kUnavailable, "too many clients of docker.sock"));
  auto daemon = guest_->accept({.port = 0, .docker = true});
  if (!daemon) return refuse(Error(Code::kUnavailable, "the sandbox has ended"));
  if (const auto set = set_nonblocking(fds.front()); !set) return refuse(set.error());
  answer(asker, {{"ok", true}});
  docker_clients_.add(std::move(fds.front()), std::move(daemon));
}

// A daemon that has died was told of those who wait, and did nothing about them.
void Shim::watch(Asker asker) {
  watchers_.insert(asker);
  for (const wire::McpWanted& wanted : mcp_door_.waiting())
    (void)controls_->tell(asker, text_of(wire::Event{rfc3339(now()), wire::EventKind::kMcp, name_, json_of(wanted)}));
}

void Shim::pipe(Asker asker, const wire::PipeCall& call, std::vector<Fd> fds) {
  const auto refuse = [this, asker](const Error& error) { answer(asker, wire::encode(error)); };
  if (fds.size() != 1) return refuse(Error(Code::kInvalid, "pipe needs one descriptor"));
  if (const auto set = set_nonblocking(fds.front()); !set) return refuse(set.error());
  answer(asker, {{"ok", true}});
  const auto place = piped_.emplace(piped_.end());
  tell(wire::EventKind::kExecStart, {{"command", call.request.command}});
  *place = std::make_unique<Piped>(loop_, *guest_, output_log_, std::move(fds.front()), call.request,
                                   [this, place](const wire::ExecExit& exit) {
                                     tell(wire::EventKind::kExecExit, json_of(exit));
                                     piped_.erase(place);
                                     stop_when_told();
                                   });
}

void Shim::connect_to_mcp(Asker asker, const wire::McpCall& call, std::vector<Fd> fds) {
  const auto refuse = [this, asker](const Error& error) { answer(asker, wire::encode(error)); };
  if (fds.size() != 1) return refuse(Error(Code::kInvalid, "mcp needs one descriptor"));
  if (const auto connected = mcp_door_.connect(call.wanted, std::move(fds.front())); !connected)
    return refuse(connected.error());
  answer(asker, {{"ok", true}});
}

void Shim::end_session(Asker asker, const wire::EndSessionCall& call) {
  const auto session = sessions_.find(call.session);
  if (!session) return answer(asker, wire::encode(session.error()));
  if (!(*session)->runs()) return answer(asker, json_of((*session)->info()));
  enders_[call.session].push_back(asker);
  (*session)->end();
}

// The first of these is the answer.
void Shim::begun(StartedExecs::Exec& exec, const wire::DetachedStart& start) {
  if (exec.answer.empty()) exec.answer = text_of(start);
  tell_beginning(exec);
}

// Answers every asker that waits, once the answer is known. MessageServer drops what is for one that has gone.
void Shim::tell_beginning(StartedExecs::Exec& exec) {
  if (exec.answer.empty()) return;
  for (const Asker asker : std::exchange(exec.waiting, {})) controls_->answer(asker, exec.answer);
}

void Shim::stop(Asker asker, const wire::StopCall& call) {
  stoppers_.push_back(asker);
  asked_to_stop_ = true;
  if (fault_here("shim.stopping")) return;
  guest_->stop(std::chrono::milliseconds(std::clamp<std::int64_t>(call.grace_ms, 0, 600'000)));
}

}  // namespace sbx::shim
