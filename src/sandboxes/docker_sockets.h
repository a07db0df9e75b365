// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "base/fd.h"
#include "base/input_thread.h"
#include "base/mutex.h"
#include "base/result.h"
#include "sandboxes/execs.h"
#include "sandboxes/sandbox.h"

namespace sbx::sandboxes {

// vm/<name>/docker.sock of each sandbox that has a Docker daemon. A connection starts the sandbox if it is stopped, and
// is handed to its shim, which relays it to the daemon in the guest. Nothing of it is read here, and it survives us.
// Only root and the user whose daemon this is are served.
class DockerSockets {
 public:
  static constexpr std::size_t kMostClients = 64;  // that are being handed over

  explicit DockerSockets(Execs& execs);
  ~DockerSockets();  // waits for the clients that are being handed over, for ever: stop() first
  DockerSockets(const DockerSockets&) = delete;
  DockerSockets& operator=(const DockerSockets&) = delete;

  // Makes the socket what the record says: there or not. A failure is logged: the sandbox works without.
  void follow(const Sandbox& sandbox);
  void close(const std::string& name);
  // No client is handed over any more. False: some still are after so long, and only the end of the process helps.
  bool stop(std::chrono::milliseconds limit);

 private:
  struct Entry {
    std::string name;
    Fd listener;
  };

  Result<> open(const Sandbox& sandbox);
  void accept_from(int listener);
  void take(Fd client, const std::string& name);
  void hand_over(const Fd& client, const std::string& name);
  void dismiss();

  Execs& execs_;
  Mutex mutex_;
  Condition left_;
  std::map<int, Entry> entries_ SBX_GUARDED_BY(mutex_);  // by descriptor
  std::size_t clients_ SBX_GUARDED_BY(mutex_) = 0;
  bool stopping_ SBX_GUARDED_BY(mutex_) = false;
  InputThread acceptor_{[this](int listener) { accept_from(listener); }};
};

}  // namespace sbx::sandboxes
