// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "loop/loop.h"
#include "shim/attached.h"
#include "shim/console.h"
#include "shim/detached.h"
#include "shim/guest.h"
#include "shim/host_clock.h"
#include "shim/network.h"

namespace sbx::shim {

// One sandbox: its machine, the channel to its guest, and the control socket by which the daemon asks for execs.
// ARCHITECTURE.md, "The shim's life", has the protocol. One thread; serve() returns when the machine is gone.
class Shim {
 public:
  struct Inputs {
    loop::Loop& loop;
    std::unique_ptr<backends::Machine> machine;
    std::string isolation;
    bool limits_enforced;
    wire::GuestConfig guest;
    Fd listener;                       // shim.sock
    Fd output_log;                     // output.log, for appending
    Fd console_log;                    // console.log; none if the machine has no console
    Fd clock;                          // HostClock::open(); none if the guest shares the host's
    Fd ready;                          // where "ready" or "error" goes, once
    std::uint32_t confined_id = 0;     // see confine()
    std::unique_ptr<Network> network;  // none: nothing leaves the sandbox
    pid_t gate = -1;                   // our child, behind the network
  };
  explicit Shim(Inputs inputs);
  ~Shim();

  Result<> serve();

 private:
  struct Control;

  void guest_ready(const wire::GuestReady& ready);
  void guest_lost(Error why);
  void child_ended();
  void gate_ended(const Exit& exit);
  void end(Error why);
  Error unstarted(const Error& why);
  void finish();
  void stop_when_told();
  void tell_time();
  void report(const Json& json);
  void accept();
  void request(Control& control);
  void answer(Control& control, const Json& json);
  void drop(Control& control);
  void exec(Control& control, const Json& json, std::vector<Fd> fds);
  void exec_attached(const wire::ExecRequest& request, Fd client);
  void exec_detached(Control& control, const wire::ExecRequest& request);
  void stop(Control& control, const Json& json);
  Json status() const;
  void tell(const char* kind, Json detail);

  loop::Loop& loop_;
  std::unique_ptr<backends::Machine> machine_;
  std::string isolation_;
  bool limits_enforced_;
  std::string name_;
  Fd listener_;
  OutputLog output_log_;
  Fd ready_;
  uid_t owner_;
  std::uint32_t confined_id_;
  Json timings_;
  SteadyTime started_ = steady_now();
  bool serving_ = false;
  bool asked_to_stop_ = false;
  std::optional<Error> ending_;  // why, since it is known that the machine ends
  bool finished_ = false;
  bool childless_ = false;
  std::list<std::unique_ptr<Control>> controls_;
  std::list<std::unique_ptr<Attached>> attached_;
  std::list<std::unique_ptr<Detached>> detached_;
  std::unique_ptr<Console> console_;
  std::unique_ptr<HostClock> clock_;
  pid_t gate_ = -1;
  std::unique_ptr<Network> network_;
  std::unique_ptr<Guest> guest_;  // last, so that it goes first: it points at its listeners
};

}  // namespace sbx::shim
