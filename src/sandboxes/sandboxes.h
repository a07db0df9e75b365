// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"
#include "base/shared_directories.h"
#include "config/config.h"
#include "images/templates.h"
#include "policy/edits.h"
#include "sandboxes/backend_table.h"
#include "sandboxes/events.h"
#include "sandboxes/gate.h"
#include "sandboxes/launch.h"
#include "sandboxes/registry.h"
#include "sandboxes/watcher.h"
#include "sandboxes/worker.h"
#include "store/store.h"
#include "wire/exec.h"
#include "wire/request_key.h"
#include "wire/sandbox.h"

namespace sbx::sandboxes {

// What the daemon's wiring hands in.
struct Parts {
  store::Store store;
  std::function<Result<images::Template>(const std::string& name, const std::string& pull, const images::Progress&)>
      templates;
  BackendTable::Factory backends;
  std::vector<std::string> backend_names;  // of all that `backends` makes
  std::function<Result<config::Config>()> config;
  std::function<Result<policy::Rules>()> rules;  // the network policy of new sandboxes
  std::function<WallTime()> clock;
  std::string shim_program;
  std::string init_program;
  bool privileged = false;  // as root, every sandbox gets a range of ids of its own
};

inline constexpr std::chrono::milliseconds kDefaultGrace{2000};

// Every sandbox of one home and all that can be done to it. Any thread may call anything. Operations on one sandbox
// happen one after the other; list() and info() wait for none of them and talk to no shim.
//
// Each operation can be killed at any point: what the next daemon's recover() finds is then either finished or taken
// back. A workspace is never written to.
class Sandboxes {
 public:
  static Result<std::unique_ptr<Sandboxes>> create(Parts parts);
  ~Sandboxes();  // the sandboxes run on
  Sandboxes(const Sandboxes&) = delete;
  Sandboxes& operator=(const Sandboxes&) = delete;

  // Once, before anything else: takes up what an earlier daemon left. Running sandboxes are found by their shims;
  // half-made and half-removed ones go; the leftovers of dead machines are cleaned up.
  Result<> recover();

  // Requests that a client may make again, because it does not know what became of the first one, have a key.

  // A new, stopped sandbox, or with `reuse` the one that is there (info.created tells). Builds the template if need be.
  // By a key that made a sandbox before it is that one, as if it had just been made; kConflict if it was another
  // request.
  Result<wire::SandboxInfo> create(const wire::CreateRequest& request, const images::Progress& progress,
                                   const wire::RequestKey& key = wire::RequestKey::random());
  Result<wire::SandboxInfo> start(const std::string& name);  // nothing happens if it runs
  Result<wire::SandboxInfo> stop(const std::string& name, std::chrono::milliseconds grace = kDefaultGrace);
  // Starts the sandbox if it is stopped. On success the client's connection belongs to the shim: close ours. What was
  // started by a key is not started again, whichever daemon or shim has died: see ShimSocket.
  Result<> exec(const std::string& name, wire::ExecRequest request, const Fd& client,
                const wire::RequestKey& key = wire::RequestKey::random());
  Result<Detached> exec_detached(const std::string& name, wire::ExecRequest request,
                                 const wire::RequestKey& key = wire::RequestKey::random());
  Result<> remove(const std::string& name);
  Result<std::vector<std::string>> reset();  // the names of what is gone; the first error after all were tried

  // The network policy, as its file says. An edit is one change, written for good and told to the machine if it runs;
  // if that cannot be told, the error says so, and the file is changed nevertheless. Edits at once do not lose each
  // other.
  Result<policy::Rules> policy_of(const std::string& name) const;
  Result<policy::Rules> edit_policy(const std::string& name, const std::vector<policy::Edit>& edits);
  // Takes away, then adds; what is published then. Entries to take away are as info() shows them.
  Result<Ports> change_ports(const std::string& name, const Ports& publish, const Ports& unpublish);
  // Gives hosts addresses of the user's choice, in place of those that they had: all of them then.
  Result<Hosts> add_hosts(const std::string& name, const Hosts& hosts);
  // Waits, no longer than this, until what was decided before is in the network log of a sandbox that runs. What that
  // log has lost, if its gate says so: the file may not tell yet.
  netlog::Losses flush_log(const std::string& name, std::chrono::milliseconds limit) const;

  std::vector<wire::SandboxInfo> list() const;
  Result<wire::SandboxInfo> info(const std::string& name) const;
  Events& events() { return events_; }

 private:
  using Backend = std::shared_ptr<const backends::Backend>;
  struct Plan;
  struct Start;

  explicit Sandboxes(Parts parts);

  // create.cc
  Result<Plan> plan_for(const wire::CreateRequest& request);
  SharedDirectories shared_directories() const;  // what the sandboxes that there are can write to
  Result<Backend> backend_for(const Plan& plan);
  // The one line that the user should read about it; usually empty.
  Result<std::string> build(Sandbox& sandbox, const Plan& plan, const images::Progress& progress);
  Result<> make_authority(const std::string& name);

  // start.cc
  Result<> start_held(Sandbox& sandbox);  // "held": the caller holds sandbox.operation()
  Result<Start> checked_start(const store::Record& record);
  Result<> run_machine(Sandbox& sandbox, const Start& start);
  Result<> adopt(Sandbox& sandbox, Launched launched);
  wire::GuestConfig guest_config(const Start& start) const;
  backends::MachineSpec machine_spec(const store::Record& record, const backends::Settings& settings = {}) const;

  // network.cc
  Result<policy::Rules> rules_of(const std::string& name) const;
  Result<> tell_policy(const std::string& name, const policy::Rules& rules) const;
  Result<wire::NetworkConfig> network_config(const store::Record& record) const;
  Ports bound_ports(const store::Record& record) const;
  Result<> publish_held(Sandbox& sandbox, const Ports& ports);
  Result<> unpublish_held(Sandbox& sandbox, const Ports& ports);
  Result<> save_ports(Sandbox& sandbox, const store::Record& record);
  std::string policy_path_of(const std::string& name) const;

  // exec.cc
  Result<> ensure_running(Sandbox& sandbox);
  Result<> on_shim(const std::string& name, const std::function<Result<>(const ShimSocket&)>& use);

  // stop.cc
  Result<> stop_held(Sandbox& sandbox, std::chrono::milliseconds grace);
  Result<> end_shim(const Sandbox& sandbox, const Running& running, std::chrono::milliseconds grace);
  void shim_told(const std::string& name, const std::shared_ptr<const Shim>& shim, const wire::Event& event);
  void shim_ended(const std::string& name, const std::shared_ptr<const Shim>& shim, std::optional<Exit> exit);
  Result<> clean_up(const std::string& name, const backends::MachineSpec& otherwise);
  // What machine.json says, if it can be about this sandbox.
  Result<backends::MachineSpec> last_machine(const std::string& name) const;
  backends::MachineSpec leftover_machine(const std::string& name, const backends::MachineSpec& otherwise) const;
  bool has_backend(const std::string& name) const;
  bool is_anothers(const std::string& id, const std::string& name) const;

  // remove.cc
  Result<> remove_held(const std::shared_ptr<Sandbox>& sandbox);
  Result<> mark_removing(Sandbox& sandbox);
  Result<> destroy(const store::Record& record);

  // recover.cc
  void recover_one(const std::string& name, Result<store::Record> record);
  void recover_garbled(const std::string& name, const Error& error);
  void recover_ready(store::Record record);
  void renew_policy(const std::string& name);
  std::optional<Launched> find_shim(const std::string& name);

  std::string directory_of(const std::string& name) const { return store_.home().machine(name); }
  std::string machine_path_of(const std::string& name) const { return directory_of(name) + "/machine.json"; }
  ShimSocket socket_of(const std::string& name) const { return ShimSocket(directory_of(name) + "/shim.sock"); }
  GateSocket gate_of(const std::string& name) const { return GateSocket(directory_of(name) + "/network.sock"); }
  wire::SandboxInfo info_of(const Sandbox& sandbox) const { return sandbox.info(directory_of(sandbox.name())); }

  const Parts parts_;
  const store::Store& store_ = parts_.store;
  BackendTable backends_;
  Registry registry_;
  Events events_;
  Worker worker_;                     // after all that its jobs use
  std::unique_ptr<Watcher> watcher_;  // last: its thread calls into all of the above
};

}  // namespace sbx::sandboxes
