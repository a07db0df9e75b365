// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/shim.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/child.h"
#include "base/fault.h"
#include "base/format.h"
#include "base/log.h"
#include "base/operation.h"
#include "base/overloaded.h"
#include "base/start_limit.h"
#include "shim/confine.h"
#include "wire/error.h"
#include "wire/event.h"

namespace sbx::shim {
namespace {

constexpr auto kLastMoments = std::chrono::seconds(2);
constexpr auto kMachineEndLimit = std::chrono::seconds(10);
constexpr auto kBetweenTrims = std::chrono::seconds(5);
// Execs that are being handed over or started, and those who watch.
constexpr loop::MessageServer::Limits kControlLimits{
    .askers = 1024, .patience = std::chrono::seconds(10), .unread = 1u << 20};

bool is_about_the_end(const wire::ShimRequest& request) {
  return std::holds_alternative<wire::WatchCall>(request) || std::holds_alternative<wire::StopCall>(request);
}

}  // namespace

Shim::Shim(Inputs inputs)
    : loop_(inputs.loop),
      machine_(std::move(inputs.machine)),
      isolation_(inputs.isolation),
      limits_enforced_(inputs.limits_enforced),
      name_(inputs.guest.name),
      listener_(std::move(inputs.listener)),
      output_log_(std::move(inputs.output_log)),
      started_execs_(std::move(inputs.exec_keys)),
      ready_(std::move(inputs.ready)),
      owner_(::getuid()),
      confined_id_(inputs.confined_id),
      timings_(machine_->timings()),
      sessions_(inputs.loop),
      gate_(inputs.gate),
      network_(std::move(inputs.network)),
      lifeline_(inputs.loop),
      docker_clients_(inputs.loop) {
  if (Fd console = machine_->take_console(); console)
    console_ = std::make_unique<Console>(loop_, std::move(console), std::move(inputs.console_log));
  if (inputs.clock) clock_ = std::make_unique<HostClock>(loop_, std::move(inputs.clock), [this] { tell_time(); });
  Guest::OnConnect on_connect;
  if (network_) {
    on_connect = [this](const wire::Connect& connect, std::unique_ptr<streams::Stream> client) {
      if (network_) network_->serve(connect, std::move(client));
    };
    network_->publish_to([this](std::uint16_t port) { return guest_->accept({.port = port}); });
  }
  guest_ = std::make_unique<Guest>(
      loop_, machine_->take_channel(), std::move(inputs.guest),
      [this](const wire::GuestReady& ready) { guest_ready(ready); }, [this](Error why) { guest_lost(std::move(why)); },
      std::move(on_connect));
}

Shim::~Shim() = default;

Result<> Shim::serve() {
  TRY(loop_.on_signals({SIGCHLD, SIGTERM, SIGINT, SIGHUP}, [this](int number) {
    if (number == SIGCHLD) child_ended();
    if (number == SIGTERM) guest_->stop(std::chrono::milliseconds(wire::StopCall().grace_ms));
  }));
  // Here, because the loop reads the guest's first byte: from then on nothing needs a privilege.
  if (auto confined = confine(confined_id_); !confined) {
    Error error = std::move(confined).error().within("confine the shim");
    report(wire::encode(error));
    return fail(std::move(error));
  }
  child_ended();  // it may have ended before the signal was watched
  if (console_) trim_log_again();
  const auto limit = start_limit();
  lifeline_.after(limit, [this, limit] {
    if (!serving_) end(Error(Code::kTimeout, sbx::format("the guest did not answer in {} s", limit.count())));
  });
  return loop_.run();
}

// QEMU and virtiofsd write to the same file, and a guest may have them complain as often as it likes.
void Shim::trim_log_again() {
  trim_log();
  lifeline_.after(kBetweenTrims, [this] { trim_log_again(); });
}

void Shim::report(const Json& json) {
  if (!ready_) return;
  (void)write_all(ready_, dump(json) + "\n");  // a daemon that died meanwhile finds us by our socket
  ready_.reset();
}

void Shim::guest_ready(const wire::GuestReady& ready) {
  if (serving_) return;
  for (const auto& [step, microseconds] : ready.timings) timings_.emplace_back("guest_" + step, microseconds);
  note_time_since(started_, "guest", timings_);
  serving_ = true;
  serve_controls();
  if (fault_here("shim.ready")) return;
  report({{"ready", json_of(status())}});
}

// A channel that is closed says less than the end of the process behind it, which follows.
void Shim::guest_lost(Error why) {
  lost_ = true;
  if (why.code() == Code::kUnavailable) return await_machine(std::move(why));
  lifeline_.later([this, why = std::move(why)] { end(why); });
}

// The machine's first process ends, and its end is the reason (child_ended). One that does not is killed; where the end
// was asked for nobody wants to know the reason.
void Shim::await_machine(Error why) {
  lifeline_.after(asked_to_stop_ ? kLastMoments : kMachineEndLimit, [this, why = std::move(why)] { end(why); });
}

// A helper that ends in order does so because the machine ends, which says more.
void Shim::child_ended() {
  int status = 0;
  pid_t pid = 0;
  while ((pid = ::waitpid(-1, &status, WNOHANG)) > 0) {
    if (pid == gate_) {
      gate_ended(Exit::from_wait_status(status));
      continue;
    }
    const auto why = machine_->end_of(pid, Exit::from_wait_status(status));
    if (!why) continue;
    if (status == 0 && pid != machine_->pid())
      await_machine(Error(Code::kUnavailable, *why));
    else
      end(Error(Code::kUnavailable, *why));
  }
  childless_ = pid < 0;
  stop_when_told();
}

// The sandbox runs on without network; the network has noticed by itself.
void Shim::gate_ended(const Exit& exit) {
  gate_ = -1;
  if (ending_) return;
  log_error("the gate ended ({} {})", exit.signal != 0 ? "signal" : "status",
            exit.signal != 0 ? exit.signal : exit.code);
}

// The first reason is the one that counts.
void Shim::end(Error why) {
  if (ending_) return;
  if (console_) {
    console_->read_rest();
    if (const std::string panic = console_->panic(); !panic.empty()) why = Error(why.code(), panic);
  }
  ending_ = std::move(why);
  machine_->kill();
  finish();
}

// Why the guest did not come up: what was tried, what QEMU and the console said about it, and where to look.
Error Shim::unstarted(const Error& why) {
  const std::string attempt = machine_->attempt();
  const std::string console = console_ ? console_->last_lines() : std::string();
  std::string what = why.what();
  if (!attempt.empty()) what += "; " + attempt;
  if (!console.empty()) what += "; the console's last lines: " + console;
  if (console_ && console.empty()) what += "; the console shows nothing: the kernel was not reached";
  if (attempt.empty()) return Error(why.code(), what, why.hint());
  return Error(why.code(), what, "sandbox diagnose; or another wall: --backend container");
}

void Shim::finish() {
  const std::string why = ending_->what();
  if (!asked_to_stop_) log_error("{}", why);
  report(wire::encode(serving_ ? *ending_ : unstarted(*ending_)));
  guest_->end("the sandbox has ended: " + why);
  tell(wire::EventKind::kEnding, asked_to_stop_ ? Json::object() : Json{{"reason", why}});
  for (const Asker stopper : stoppers_) answer(stopper, {{"ok", true}});
  network_.reset();  // which ends the gate
  finished_ = true;
  lifeline_.later([this] { child_ended(); });
  lifeline_.after(kLastMoments, [this] { loop_.stop(); });
}

// Clients that are owed an exit code and askers that are owed an answer get it first, and no part of the machine is
// left to another process to reap.
void Shim::stop_when_told() {
  const bool told =
      attached_.empty() && detached_.empty() && !sessions_.has_clients() && (!controls_ || !controls_->has_unsent());
  if (finished_ && childless_ && told) loop_.stop();
}

void Shim::tell_time() {
  if (serving_ && !ending_) guest_->tell_time(microseconds_of(now()));
}

void Shim::serve_controls() {
  controls_ = std::make_unique<loop::MessageServer>(
      loop_, std::move(listener_), owner_, kControlLimits,
      [this](Asker asker, Message message) { request(asker, std::move(message)); });
  controls_->when_sent([this] { stop_when_told(); });
}

void Shim::answer(Asker asker, const Json& json) { controls_->answer(asker, dump(json)); }

void Shim::request(Asker asker, Message message) {
  const auto request = read_request<wire::ShimRequest>(message.body);
  if (!request) return answer(asker, wire::encode(request.error()));
  if (ending_ || (lost_ && !is_about_the_end(*request)))
    return answer(asker, wire::encode(Error(Code::kConflict, "the sandbox is ending")));
  std::visit(Overloaded{[&](const wire::StatusCall&) { answer(asker, json_of(status())); },
                        [&](const wire::ExecCall& call) { exec(asker, call, std::move(message.fds)); },
                        [&](const wire::StopCall& call) { stop(asker, call); },
                        [&](const wire::WatchCall&) { watchers_.insert(asker); },
                        [&](const wire::SessionsCall&) { answer(asker, json_of(sessions_.list())); },
                        [&](const wire::AttachCall& call) { attach(asker, call, std::move(message.fds)); },
                        [&](const wire::EndSessionCall& call) { end_session(asker, call); },
                        [&](const wire::DockerCall&) { connect_to_docker(asker, std::move(message.fds)); }},
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
        attached_.erase(place);
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

void Shim::tell(wire::EventKind kind, Json detail) {
  if (watchers_.empty()) return;
  const std::string event = text_of(wire::Event{rfc3339(now()), kind, name_, std::move(detail)});
  std::erase_if(watchers_, [&](Asker watcher) { return !controls_->tell(watcher, event); });
}

}  // namespace sbx::shim
