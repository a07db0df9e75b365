// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <thread>

#include "base/fd.h"
#include "base/mutex.h"
#include "base/result.h"
#include "exchange/exchange.h"

namespace sbx::cli {

// A port on the loopback of this host that leads to the port of the same number on the loopback of a sandbox, for as
// long as a login in there waits for the user's browser to come back: until nothing listens in the sandbox any more,
// the time is over, or this object goes. Connections are carried by execs of init's own "connect".
//
// SECURITY: it listens on 127.0.0.1 and ::1 only, and leads nowhere but into the sandbox. It is this process that
// listens: nothing of it is left when this process ends, however it does.
class CallbackPort {
 public:
  // The port in the sandbox. Called by other threads.
  struct Inside {
    std::function<Result<exchange::Upgraded>()> connect;
    std::function<bool()> is_waited_for;  // whether a program listens on it
  };

  // kConflict: another program has the port.
  static Result<std::unique_ptr<CallbackPort>> open(std::uint16_t port, Inside inside,
                                                    std::chrono::seconds limit = std::chrono::minutes(10));
  ~CallbackPort();
  CallbackPort(const CallbackPort&) = delete;
  CallbackPort& operator=(const CallbackPort&) = delete;

 private:
  // One connection. Both ends can be shut down by another thread than the two that serve it.
  struct Carried {
    Fd browser;
    Fd sandbox;
    std::thread thread;
    bool done = false;
  };

  CallbackPort(Fd four, Fd six, Fd wake, Inside inside, std::chrono::seconds limit);
  void listen(std::chrono::seconds limit);
  void accept_from(const Fd& listener);
  void carry(Carried& carried);
  bool can_be_ended(Carried& carried, const Fd& sandbox) SBX_EXCLUDES(mutex_);
  void drop_done();

  Fd four_;
  Fd six_;  // none on a host without IPv6
  Fd wake_;
  const Inside inside_;
  Mutex mutex_;
  std::list<Carried> carried_ SBX_GUARDED_BY(mutex_);
  bool is_ending_ SBX_GUARDED_BY(mutex_) = false;
  std::thread listener_;  // the last: it uses all above
};

}  // namespace sbx::cli
