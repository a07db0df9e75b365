// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/shim.h"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>

#include "base/child.h"
#include "base/fault.h"
#include "base/format.h"
#include "base/log.h"
#include "base/socket.h"
#include "base/text.h"
#include "shim/confine.h"

namespace sbx::shim {
namespace {

constexpr auto kLastMoments = std::chrono::seconds(2);
constexpr auto kSettling = std::chrono::milliseconds(100);
constexpr std::int64_t kDefaultGrace = 2000;

// How long a guest has to answer. Where processors are emulated or shared by many, the daemon's environment gives more.
std::chrono::seconds start_limit() {
  constexpr std::int64_t kUsual = 30;
  constexpr std::int64_t kMost = 600;
  const char* wanted = std::getenv("SANDBOXD_START_SECONDS");
  const auto seconds = parse_integer(wanted == nullptr ? "" : wanted).value_or(kUsual);
  return std::chrono::seconds(std::clamp(seconds, kUsual, kMost));
}

}  // namespace

// One connection to shim.sock.
struct Shim::Control {
  Fd socket;
  bool watching = false;
  bool awaiting_stop = false;
};

Shim::Shim(Inputs inputs)
    : loop_(inputs.loop),
      machine_(std::move(inputs.machine)),
      isolation_(std::move(inputs.isolation)),
      limits_enforced_(inputs.limits_enforced),
      name_(inputs.guest.name),
      listener_(std::move(inputs.listener)),
      output_log_(std::move(inputs.output_log)),
      ready_(std::move(inputs.ready)),
      owner_(::getuid()),
      confined_id_(inputs.confined_id),
      timings_(machine_->timings()),
      gate_(inputs.gate),
      network_(std::move(inputs.network)) {
  if (Fd console = machine_->take_console(); console)
    console_ = std::make_unique<Console>(loop_, std::move(console), std::move(inputs.console_log));
  if (inputs.clock) clock_ = std::make_unique<HostClock>(loop_, std::move(inputs.clock), [this] { tell_time(); });
  Guest::OnConnect on_connect;
  if (network_) {
    on_connect = [this](const wire::Connect& connect, std::unique_ptr<streams::Stream> client) {
      if (network_) network_->serve(connect, std::move(client));
    };
    network_->publish_to([this](std::uint16_t port) { return guest_->accept(port); });
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
    if (number == SIGTERM) guest_->stop(std::chrono::milliseconds(kDefaultGrace));
  }));
  // Here, because the loop reads the guest's first byte: from then on nothing needs a privilege.
  if (auto confined = confine(confined_id_); !confined) {
    Error error = std::move(confined).error().within("confine the shim");
    report(wire::encode(error));
    return fail(std::move(error));
  }
  child_ended();  // it may have ended before the signal was watched
  const auto limit = start_limit();
  loop_.after(limit, [this, limit] {
    if (!serving_) end(Error(Code::kTimeout, sbx::format("the guest did not answer in {} s", limit.count())));
  });
  return loop_.run();
}

void Shim::report(const Json& json) {
  if (!ready_) return;
  (void)write_all(ready_, dump(json) + "\n");  // a daemon that died meanwhile finds us by our socket
  ready_.reset();
}

void Shim::guest_ready(const wire::GuestReady& ready) {
  if (serving_) return;
  for (const auto& [step, value] : ready.timings.items()) timings_["guest_" + step] = value;
  timings_["guest"] = std::chrono::duration_cast<std::chrono::microseconds>(steady_now() - started_).count();
  serving_ = true;
  loop_.watch(listener_, EPOLLIN, [this](std::uint32_t) { accept(); });
  if (fault_here("shim.ready")) return;
  report({{"ready", status()}});
}

// A channel that is closed says less than the end of the process behind it, which is a moment away.
void Shim::guest_lost(Error why) {
  const bool closed = why.code() == Code::kUnavailable;
  if (closed && !ending_) {
    loop_.after(kSettling, [this, why = std::move(why)] { end(why); });
    return;
  }
  loop_.later([this, why = std::move(why)] { end(why); });
}

// A helper that ends in order does so because the machine has ended, which says more and is a moment away.
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
      loop_.after(kSettling, [this, why] { end(Error(Code::kUnavailable, *why)); });
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
  tell("ending", asked_to_stop_ ? Json::object() : Json{{"reason", why}});
  for (auto& control : controls_)
    if (control->awaiting_stop) (void)send_message(control->socket, dump({{"ok", true}}));
  network_.reset();  // which ends the gate
  finished_ = true;
  loop_.later([this] { child_ended(); });
  loop_.after(kLastMoments, [this] { loop_.stop(); });
}

// Clients that are owed an exit code get it first, and no part of the machine is left to somebody else to reap.
void Shim::stop_when_told() {
  if (finished_ && childless_ && attached_.empty() && detached_.empty()) loop_.stop();
}

void Shim::tell_time() {
  if (serving_ && !ending_) guest_->tell_time(microseconds_of(now()));
}

void Shim::accept() {
  auto socket = accept_unix(listener_);
  if (!socket) return;
  const auto peer = peer_of(*socket);
  if (!peer || (peer->uid != owner_ && peer->uid != 0)) return;
  // A peer of ours sends its whole request at once; one that does not must not hold up the guest.
  if (!set_timeouts(*socket, std::chrono::seconds(2))) return;
  controls_.push_back(std::make_unique<Control>(Control{std::move(*socket)}));
  Control& control = *controls_.back();
  loop_.watch(control.socket, EPOLLIN, [this, &control](std::uint32_t) { request(control); });
}

void Shim::drop(Control& control) {
  loop_.forget(control.socket);
  controls_.remove_if([&](const auto& other) { return other.get() == &control; });
}

void Shim::answer(Control& control, const Json& json) {
  (void)send_message(control.socket, dump(json));  // an asker that is gone needs no answer
  drop(control);
}

void Shim::request(Control& control) {
  auto message = receive_message(control.socket);
  if (!message || !*message) return drop(control);
  const auto json = parse_json((*message)->body);
  if (!json || !json->is_object() || !json->contains("op") || !(*json)["op"].is_string())
    return answer(control, wire::encode(Error(Code::kInvalid, "not a request")));
  const auto op = (*json)["op"].get<std::string>();
  if (ending_) return answer(control, wire::encode(Error(Code::kConflict, "the sandbox is ending")));
  if (op == "status") return answer(control, status());
  if (op == "exec") return exec(control, *json, std::move((*message)->fds));
  if (op == "stop") return stop(control, *json);
  if (op == "watch") {
    control.watching = true;
    return;
  }
  answer(control, wire::encode(Error(Code::kInvalid, "unknown request")));
}

Json Shim::status() const {
  return {{"shim_pid", ::getpid()},  {"init_pid", machine_->pid()},         {"timings", timings_},
          {"isolation", isolation_}, {"limits_enforced", limits_enforced_}, {"execs", guest_->execs()}};
}

void Shim::exec(Control& control, const Json& json, std::vector<Fd> fds) {
  const auto request = json.contains("request") ? wire::decode_exec_request(json["request"])
                                                : Result<wire::ExecRequest>(fail(Code::kInvalid, "no exec request"));
  if (!request) return answer(control, wire::encode(request.error()));
  if (fault_here("shim.exec")) return answer(control, wire::encode(Error(Code::kInternal, "fault injected")));
  if (request->detach) return exec_detached(control, *request);
  if (fds.size() != 1) return answer(control, wire::encode(Error(Code::kInvalid, "exec needs one descriptor")));
  answer(control, {{"ok", true}});
  exec_attached(*request, std::move(fds.front()));
}

void Shim::exec_attached(const wire::ExecRequest& request, Fd client) {
  const auto place = attached_.emplace(attached_.end());
  tell("exec_start", {{"command", request.command}});
  *place =
      std::make_unique<Attached>(loop_, *guest_, std::move(client), request, [this, place](const wire::ExecExit* exit) {
        tell("exec_exit", exit != nullptr ? encode(*exit) : Json::object());
        attached_.erase(place);
        stop_when_told();
      });
}

void Shim::exec_detached(Control& control, const wire::ExecRequest& request) {
  const auto place = detached_.emplace(detached_.end());
  tell("exec_start", {{"command", request.command}, {"detach", true}});
  // The asker may be gone by the time the program runs; the list says whether it is.
  const auto reply = [this, asker = &control](const Json& json) {
    for (auto& other : controls_)
      if (other.get() == asker) return answer(*other, json);
  };
  *place = std::make_unique<Detached>(
      loop_, *guest_, output_log_, request,
      [reply](std::int64_t pid) {
        reply({{"pid", pid}});
      },
      [this, place, reply](const wire::ExecExit& exit) {
        if (!exit.error.empty()) reply({{"exit", encode(exit)}});
        tell("exec_exit", encode(exit));
        detached_.erase(place);
        stop_when_told();
      });
}

void Shim::stop(Control& control, const Json& json) {
  const bool given = json.contains("grace_ms") && json["grace_ms"].is_number_integer();
  const std::int64_t grace = given ? json["grace_ms"].get<std::int64_t>() : kDefaultGrace;
  control.awaiting_stop = true;
  asked_to_stop_ = true;
  if (fault_here("shim.stopping")) return;
  guest_->stop(std::chrono::milliseconds(std::clamp<std::int64_t>(grace, 0, 600'000)));
}

void Shim::tell(const char* kind, Json detail) {
  const std::string event = dump(encode(wire::Event{rfc3339(now()), kind, name_, std::move(detail)}));
  for (auto& control : controls_)
    if (control->watching)
      (void)send_message(control->socket, event);  // a watcher that is gone is dropped by its end of file
}

}  // namespace sbx::shim
