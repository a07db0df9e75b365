// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "loop/lifeline.h"
#include "loop/loop.h"
#include "loop/message_server.h"
#include "shim/attached.h"
#include "shim/console.h"
#include "shim/detached.h"
#include "shim/guest.h"
#include "shim/host_clock.h"
#include "shim/mcp_door.h"
#include "shim/network.h"
#include "shim/piped.h"
#include "shim/session_table.h"
#include "shim/started_execs.h"
#include "shim/visitors.h"
#include "wire/event.h"
#include "wire/shim_control.h"

namespace sbx::shim {

// One sandbox: its machine, the channel to its guest, and the control socket by which the daemon asks for execs.
// ARCHITECTURE.md, "The shim's life", has the protocol. One thread; serve() returns when the machine is gone.
class Shim {
 public:
  struct Inputs {
    loop::Loop& loop;
    std::unique_ptr<backends::Machine> machine;
    wire::Isolation isolation = wire::Isolation::kUnknown;
    bool limits_enforced;
    wire::GuestConfig guest;
    Fd listener;                       // shim.sock
    Fd output_log;                     // output.log, for reading and appending
    Fd exec_keys;                      // exec.keys, of StartedExecs
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
  using Asker = loop::MessageServer::Asker;

  void guest_ready(const wire::GuestReady& ready);
  void guest_lost(Error why);
  void await_machine(Error why);
  void child_ended();
  void gate_ended(const Exit& exit);
  void end(Error why);
  Error unstarted(const Error& why);
  void finish();
  void stop_when_told();
  void tell_time();
  void trim_log_again();
  void report(const Json& json);
  void serve_controls();
  void request(Asker asker, Message message);
  void answer(Asker asker, const Json& json);
  void exec(Asker asker, const wire::ExecCall& call, std::vector<Fd> fds);
  void exec_attached(const wire::ExecRequest& request, Fd client);
  void exec_detached(const wire::ExecRequest& request, const std::shared_ptr<StartedExecs::Exec>& exec);
  void exec_session(const wire::ExecRequest& request, std::optional<Fd> client,
                    const std::shared_ptr<StartedExecs::Exec>& exec);
  void session_ended(wire::SessionNumber number);
  void attach(Asker asker, const wire::AttachCall& call, std::vector<Fd> fds);
  void end_session(Asker asker, const wire::EndSessionCall& call);
  void connect_to_docker(Asker asker, std::vector<Fd> fds);
  void watch(Asker asker);
  void pipe(Asker asker, const wire::PipeCall& call, std::vector<Fd> fds);
  void connect_to_mcp(Asker asker, const wire::McpCall& call, std::vector<Fd> fds);
  void begun(StartedExecs::Exec& exec, const wire::DetachedStart& start);
  void tell_beginning(StartedExecs::Exec& exec);
  void stop(Asker asker, const wire::StopCall& call);
  wire::ShimStatus status() const;
  void tell(wire::EventKind kind, Json detail);

  loop::Loop& loop_;
  std::unique_ptr<backends::Machine> machine_;
  const wire::Isolation isolation_;
  bool limits_enforced_;
  std::string name_;
  Fd listener_;
  OutputLog output_log_;
  StartedExecs started_execs_;
  Fd ready_;
  uid_t owner_;
  std::uint32_t confined_id_;
  Timings timings_;
  SteadyTime started_ = steady_now();
  bool serving_ = false;
  bool asked_to_stop_ = false;
  bool lost_ = false;            // the channel is closed or broken; the machine ends
  std::optional<Error> ending_;  // why, since it is known that the machine ends
  bool finished_ = false;
  bool childless_ = false;
  std::unique_ptr<loop::MessageServer> controls_;  // since the guest is ready
  std::set<Asker> watchers_;
  std::vector<Asker> stoppers_;  // told when the guest is gone
  std::list<std::unique_ptr<Attached>> attached_;
  std::list<std::unique_ptr<Attached>> leaving_;  // they have ended, and their clients are being seen off
  std::list<std::unique_ptr<Detached>> detached_;
  std::list<std::unique_ptr<Piped>> piped_;
  SessionTable sessions_;
  std::map<wire::SessionNumber, std::vector<Asker>> enders_;  // told when the session has ended
  std::unique_ptr<Console> console_;
  std::unique_ptr<HostClock> clock_;
  pid_t gate_ = -1;
  std::unique_ptr<Network> network_;
  loop::Lifeline lifeline_;
  Visitors docker_clients_;
  McpDoor mcp_door_;
  std::unique_ptr<Guest> guest_;  // last, so that it goes first: it points at its listeners
};

}  // namespace sbx::shim
