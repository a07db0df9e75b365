// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"
#include "channel/connections.h"
#include "channel/link.h"
#include "guest/boot/descriptors.h"
#include "guest/boot/machine.h"
#include "guest/docker/docker_daemon.h"
#include "guest/exec/session.h"
#include "guest/exec/socket_wall.h"
#include "guest/exec/spare.h"
#include "guest/network/network.h"
#include "loop/lifeline.h"
#include "loop/loop.h"
#include "wire/frame.h"
#include "wire/guest.h"

namespace sbx::guest {

// The guest's end of the channel: greets, is told who it is, serves execs and the network, stops. Frames that break the
// rules are answered with a line in the log; on the stream of an exec they end that exec. When the channel closes,
// everything in the guest is killed: nothing may run on without a shim that watches it.
class Server {
 public:
  Server(loop::Loop& loop, Fd channel, GuestMachine& machine);

  void greet(SteadyTime started);
  // Init cannot go on: says so and ends.
  void give_up(const Error& why);
  // There may be children to reap: call it for each SIGCHLD.
  void reap();

 private:
  void take(const wire::Header& header, std::string_view payload);
  void take_control(wire::Kind kind, std::string_view payload);
  Result<> configure(std::string_view payload);
  Result<> set_clock(std::string_view payload);
  Result<> stop(std::string_view payload);
  void start_network();
  void start_docker();
  Result<> open(std::uint32_t stream, std::string_view payload);
  Result<> accept(std::string_view request, std::unique_ptr<streams::Stream> stream);
  void refuse(std::uint32_t stream, const Error& why);
  void child_ended(pid_t pid, int status);
  void session_done(std::uint32_t stream);
  Result<> keep_spare();
  void say_ready();
  void hang_up_terminals();
  void kill_everyone();
  void finish_with_last_words();
  void finish();
  void closed(const Result<>& why);
  void log(std::string_view line);

  loop::Loop& loop_;
  GuestMachine& machine_;
  channel::Link link_;
  channel::Connections connections_;
  const DescriptorLimit descriptors_;
  std::vector<char> buffer_;
  Fd nothing_;         // /dev/null
  std::string ready_;  // what is still to be said of it
  std::optional<wire::GuestConfig> config_;
  std::unique_ptr<Spare> spare_;
  std::unique_ptr<SocketWall> wall_;  // null: this kernel has none
  std::map<std::uint32_t, std::unique_ptr<Session>> sessions_;
  std::optional<Network> network_;
  std::optional<DockerDaemon> docker_;
  bool stopping_ = false;
  bool finished_ = false;
  loop::Lifeline lifeline_;
};

}  // namespace sbx::guest
