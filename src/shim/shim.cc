// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/shim.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>

#include "base/child.h"
#include "base/fault.h"
#include "base/format.h"
#include "base/log.h"
#include "base/start_limit.h"
#include "base/value.h"
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
      docker_clients_(inputs.loop),
      mcp_door_(inputs.loop, inputs.guest.mcp ? inputs.guest.mcp->servers : std::vector<std::string>{},
                [this](const wire::McpWanted& wanted) { tell(wire::EventKind::kMcp, json_of(wanted)); }) {
  if (Fd console = machine_->take_console(); console)
    console_ = std::make_unique<Console>(loop_, std::move(console), std::move(inputs.console_log));
  if (inputs.clock) clock_ = std::make_unique<HostClock>(loop_, std::move(inputs.clock), [this] { tell_time(); });
  Guest::OnConnect on_connect;
  if (network_) {
    on_connect = [this](const wire::Connect& connect, std::unique_ptr<streams::Stream> client) {
      if (!connect.mcp.empty()) return mcp_door_.serve(connect.mcp, std::move(client));
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
// was asked for no client needs the reason.
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
  const bool told = attached_.empty() && detached_.empty() && piped_.empty() && !sessions_.has_clients() &&
                    (!controls_ || !controls_->has_unsent());
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

void Shim::tell(wire::EventKind kind, Json detail) {
  if (watchers_.empty()) return;
  const std::string event = text_of(wire::Event{rfc3339(now()), kind, name_, std::move(detail)});
  std::erase_if(watchers_, [&](Asker watcher) { return !controls_->tell(watcher, event); });
}

}  // namespace sbx::shim
