// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"
#include "guest/boot/descriptors.h"
#include "loop/loop.h"
#include "wire/guest.h"

namespace sbx::guest {

// Below guest::kOfferedSockets, so that programs reach it; /run/docker.sock leads there.
inline constexpr const char* kDockerSocket = "/run/sandbox/docker.sock";
inline constexpr const char* kDockerLog = "/var/log/sandbox-dockerd.log";

// The sandbox's own Docker daemon. Its socket is there from the start. The first connection to it starts dockerd, which
// is given the socket as systemd would (LISTEN_FDS), and so serves the clients that wait: nothing is relayed, and a
// sandbox that never uses it pays for one descriptor. When dockerd has ended, the next connection starts it again.
//
// A client whose daemon cannot be started gets an answer in the daemon's own form, which `docker` shows.
class DockerDaemon {
 public:
  using Log = std::function<void(std::string_view line)>;

  // All are borrowed.
  DockerDaemon(loop::Loop& loop, const wire::GuestConfig& config, const DescriptorLimit& descriptors, Log log);
  ~DockerDaemon();
  DockerDaemon(const DockerDaemon&) = delete;
  DockerDaemon& operator=(const DockerDaemon&) = delete;

  Result<> start();
  // Whether this child, which has ended, was the daemon.
  bool reaped(pid_t pid, int status);

 private:
  void wake();
  Result<> launch();
  void refuse_waiting(const std::string& why);
  void refuse(int client);

  loop::Loop& loop_;
  const wire::GuestConfig& config_;
  const DescriptorLimit& descriptors_;
  Log log_;
  Fd listener_;
  pid_t pid_ = 0;
  SteadyTime launched_;
  std::string why_;            // the last refusal
  std::map<int, Fd> refused_;  // clients whose request is read before they are told
};

}  // namespace sbx::guest
