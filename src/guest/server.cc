// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/server.h"

#include <fcntl.h>
#include <signal.h>

#include <algorithm>
#include <utility>

#include "base/value.h"
#include "guest/exec/reaper.h"
#include "version.h"

namespace sbx::guest {
namespace {

constexpr std::chrono::milliseconds kLastWait{2000};   // for what does not even end after SIGKILL
constexpr std::chrono::milliseconds kHangUp{100};      // after SIGTERM, for programs that take that as it is meant
constexpr std::chrono::milliseconds kLastWords{200};   // for output of ended programs that is on its way
constexpr std::chrono::milliseconds kFirstSpare{100};  // at most
constexpr std::int64_t kLongestGrace = 600'000;

}  // namespace

Server::Server(loop::Loop& loop, Fd channel, GuestMachine& machine)
    : loop_(loop),
      machine_(machine),
      link_(
          loop, std::move(channel),
          [this](const wire::Header& header, std::string_view payload) { take(header, payload); },
          [this](const Result<>& why) { closed(why); }),
      connections_(loop, link_, channel::Connections::Side::kGuest,
                   [this](std::string_view request, std::unique_ptr<streams::Stream> stream) {
                     return accept(request, std::move(stream));
                   }),
      buffer_(wire::kLargestPayload),
      lifeline_(loop) {
  link_.when_drained([this] {
    connections_.link_drained();
    for (auto& [stream, session] : sessions_) session->resume();
    if (finished_) machine_.end(0);
  });
}

void Server::greet(SteadyTime started) {
  const auto uptime = std::chrono::duration_cast<std::chrono::microseconds>(steady_now() - started).count();
  link_.send(wire::Kind::kHello, wire::kControlStream,
             text_of(wire::GuestHello{SANDBOXD_VERSION "+" SANDBOXD_COMMIT, uptime}));
}

void Server::give_up(const Error& why) {
  link_.send(wire::Kind::kFailed, wire::kControlStream, text_of(wire::GuestFailed{why.what()}));
  machine_.end(1);
}

void Server::take(const wire::Header& header, std::string_view payload) {
  if (header.stream == wire::kControlStream) return take_control(header.kind, payload);
  if (header.kind == wire::Kind::kOpen) {
    if (const auto opened = open(header.stream, payload); !opened) refuse(header.stream, opened.error());
    return;
  }
  const auto it = sessions_.find(header.stream);
  // What is of neither was on its way when its stream ended.
  if (it == sessions_.end()) return (void)connections_.take(header, payload);
  const auto taken = it->second->take(header.kind, payload);
  if (taken) return;
  log("exec " + std::to_string(header.stream) + " is closed: the host broke the protocol: " + taken.error().what());
  it->second->abandon(taken.error());
}

void Server::take_control(wire::Kind kind, std::string_view payload) {
  if (kind == wire::Kind::kConfigure && !config_) {
    if (const auto configured = configure(payload); !configured) give_up(configured.error());
  } else if (kind == wire::Kind::kClock && config_) {
    if (const auto set = set_clock(payload); !set) log(set.error().what());
  } else if (kind == wire::Kind::kStop && !stopping_) {
    if (const auto stopped = stop(payload); !stopped) log(stopped.error().what());
  } else {
    log("ignored a frame of kind " + std::to_string(static_cast<int>(kind)) + " that is out of place");
  }
}

Result<> Server::configure(std::string_view payload) {
  TRY_ASSIGN(auto config, value_in<wire::GuestConfig>(payload, "guest configuration"));
  TRY_ASSIGN(Timings timings, machine_.set_up(config, [this](std::string_view line) { log(line); }));
  TRY_ASSIGN(nothing_, open_path("/dev/null", O_RDONLY));
  if (machine_.shares_kernel()) {
    TRY_ASSIGN(wall_, SocketWall::raise());
  }
  config_ = std::move(config);
  if (config_->network) start_network();
  if (config_->docker) start_docker();
  ready_ = text_of(wire::GuestReady{std::move(timings)});
  if (!machine_.keeps_spare()) {
    say_ready();
  } else if (const auto kept = keep_spare(); !kept) {
    log(kept.error().what());
    say_ready();
  }
  return Ok{};
}

// Ready with a spare, because an exec usually follows at once; or without, if something keeps it from being made.
Result<> Server::keep_spare() {
  TRY_ASSIGN(spare_, Spare::create(loop_, *config_, descriptors_, [this] { say_ready(); }));
  spare_->make();
  lifeline_.after(kFirstSpare, [this] { say_ready(); });
  return Ok{};
}

void Server::say_ready() {
  if (!ready_.empty()) link_.send(wire::Kind::kReady, wire::kControlStream, std::exchange(ready_, {}));
}

// A sandbox without its network is still of use.
void Server::start_network() {
  descriptors_.raise();
  network_.emplace(loop_, connections_);
  if (const auto started = network_->start(); !started) log("there is no network: " + started.error().what());
  if (config_->ssh_agent)
    if (const auto offered = network_->offer_ssh_agent(); !offered)
      log("there is no ssh-agent: " + offered.error().what());
  for (const std::string& server : config_->mcp ? config_->mcp->servers : std::vector<std::string>{})
    if (const auto offered = network_->offer_mcp(server); !offered)
      log("there is no MCP server " + server + ": " + offered.error().what());
}

void Server::start_docker() {
  docker_.emplace(loop_, *config_, descriptors_, [this](std::string_view line) { log(line); });
  if (const auto started = docker_->start(); !started) log("there is no Docker daemon: " + started.error().what());
}

Result<> Server::accept(std::string_view request, std::unique_ptr<streams::Stream> stream) {
  return network_ ? network_->accept(request, std::move(stream)) : Ok{};
}

Result<> Server::set_clock(std::string_view payload) {
  TRY_ASSIGN(const auto clock, value_in<wire::GuestClock>(payload, "clock"));
  return machine_.set_clock(clock.clock_us);
}

Result<> Server::open(std::uint32_t stream, std::string_view payload) {
  if (!config_) return fail(Code::kConflict, "exec: the guest is not configured yet");
  if (stopping_) return fail(Code::kConflict, "exec: the sandbox is stopping");
  if (sessions_.contains(stream)) {
    log("ignored an exec on stream " + std::to_string(stream) + ", which is in use");
    return Ok{};
  }
  TRY_ASSIGN(auto request, value_in<wire::ExecRequest>(payload, "exec"));
  auto session =
      std::make_unique<Session>(Surroundings{loop_, link_, *config_, descriptors_, buffer_, nothing_, spare_.get(),
                                             wall_.get(), machine_.changes()},
                                stream, std::move(request), [this](std::uint32_t done) { session_done(done); });
  TRY(session->start());
  sessions_.emplace(stream, std::move(session));
  return Ok{};
}

void Server::refuse(std::uint32_t stream, const Error& why) {
  link_.send(wire::Kind::kExit, stream, text_of(wire::ExecExit{125, 0, why.what()}));
}

// Later, because it is the session itself that calls.
void Server::session_done(std::uint32_t stream) {
  lifeline_.later([this, stream] {
    sessions_.erase(stream);
    if (spare_) spare_->make();
    if (stopping_ && sessions_.empty()) reap();
  });
}

void Server::reap() {
  const bool some_left = reap_children([this](pid_t pid, int status) { child_ended(pid, status); });
  if (stopping_ && !some_left) finish_with_last_words();
}

// Every process is gone, and so every output is at its end; a client that does not read is not waited for.
void Server::finish_with_last_words() {
  if (sessions_.empty()) return finish();
  lifeline_.after(kLastWords, [this] { finish(); });
}

void Server::child_ended(pid_t pid, int status) {
  for (auto& [stream, session] : sessions_)
    if (session->pid() == pid) return session->reaped(status);
  if (docker_ && docker_->reaped(pid, status)) return;
  if (spare_) spare_->reaped();
}

Result<> Server::stop(std::string_view payload) {
  TRY_ASSIGN(const auto stop, value_in<wire::GuestStop>(payload, "stop"));
  const std::chrono::milliseconds grace(std::clamp<std::int64_t>(stop.grace_ms, 0, kLongestGrace));
  stopping_ = true;
  if (spare_) spare_->dismiss();
  machine_.signal_everyone(SIGTERM);
  machine_.signal_everyone(SIGCONT);  // a stopped process would not notice
  lifeline_.after(kHangUp, [this] { hang_up_terminals(); });
  lifeline_.after(grace, [this] { kill_everyone(); });
  reap();
  return Ok{};
}

// An interactive shell ignores SIGTERM; what it does not ignore is that its terminal goes away. It is told again and
// again, because a shell that is just about to wait for a key forgets it.
void Server::hang_up_terminals() {
  for (auto& [stream, session] : sessions_) session->hang_up();
  if (!finished_) lifeline_.after(kHangUp, [this] { hang_up_terminals(); });
}

void Server::kill_everyone() {
  if (finished_) return;
  machine_.signal_everyone(SIGKILL);
  lifeline_.after(kLastWait, [this] { finish(); });
  reap();
}

// What is on the link has to leave before we do.
void Server::finish() {
  if (finished_) return;
  finished_ = true;
  if (link_.queued() == 0) return machine_.end(0);
  lifeline_.after(kLastWait, [this] { machine_.end(0); });
}

void Server::closed(const Result<>&) {
  machine_.signal_everyone(SIGKILL);
  machine_.end(1);
}

void Server::log(std::string_view line) { link_.send(wire::Kind::kLog, wire::kControlStream, line); }

}  // namespace sbx::guest
