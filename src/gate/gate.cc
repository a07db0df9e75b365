// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/gate.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/file.h"
#include "base/lock.h"
#include "base/socket.h"
#include "gate/confine.h"
#include "gate/helper_process.h"
#include "gate/jail.h"
#include "gate/log_maker.h"
#include "gate/service.h"
#include "netlog/database.h"
#include "policy/rules_file.h"

namespace sbx::gate {
namespace {

constexpr auto kPredecessorLimit = std::chrono::seconds(5);

// What the configuration means, checked before anything is started.
struct Plan {
  policy::Rules rules;
  StaticHosts hosts;
  std::vector<wire::PublishedPort> ports;
};

Result<Plan> plan_for(const wire::NetworkConfig& network) {
  Plan plan;
  TRY_ASSIGN(plan.rules, policy::decode_rules(network.rules, "the network policy"));
  TRY_ASSIGN(plan.hosts, static_hosts(network.hosts));
  plan.ports = network.ports;
  return plan;
}

// The directory stays locked for as long as the gate lives. One whose shim was killed needs a moment to notice, and has
// the ports until then.
Result<> await_predecessor(const Fd& directory) {
  TRY_ASSIGN(const bool ours, lock_file_until(directory, "the gate's directory", steady_now() + kPredecessorLimit));
  return ours ? Result<>() : fail(Code::kConflict, "the gate of an earlier run has not ended");
}

// Whatever is in it belongs to the gate, also if the sandbox's ids have changed since.
Result<> own(const Fd& directory, std::uint32_t id) {
  if (::fchown(directory.get(), id, id) != 0) return fail_errno("hand over the gate's directory");
  for (const char* ending : {"", "-journal", ".damaged"}) {
    const std::string name = std::string(netlog::kLogFile) + ending;
    if (::fchownat(directory.get(), name.c_str(), id, id, AT_SYMLINK_NOFOLLOW) != 0 && errno != ENOENT)
      return fail_errno("hand over " + name);
  }
  return Ok{};
}

std::string directory_of(const Options& options) { return options.state_directory + "/" + netlog::kLogDirectory; }

Result<Fd> prepare_directory(const Options& options) {
  const std::string path = directory_of(options);
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return fail_errno("make " + path);
  TRY_ASSIGN(Fd directory, open_path(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  TRY(await_predecessor(directory));
  if (options.id != 0) TRY(own(directory, options.id));
  return directory;
}

// In this order: what needs a path or a privilege, then giving both up, then a process, then threads, because it would
// have none of them and the filter allows neither to be started. Returns when the shim is gone.
Result<> serve(Plan plan, const Options& options, Fd& line, Fd vaults, Fd signer) {
  close_all_but({STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, line.get(), vaults.get(), signer.get()});
  const uid_t owner = ::getuid();
  TRY_ASSIGN(const Fd lock, prepare_directory(options));
  TRY_ASSIGN(Fd control, listen_unix(options.state_directory + "/network.sock"));
  TRY_ASSIGN(auto ports, listen_on_all(plan.ports));
  TRY_WITHIN("jail the gate", enter_jail(directory_of(options), options.id != 0));
  TRY_WITHIN("confine the gate", give_up_privileges(options.id));
  const std::string log = std::string(kJailedDirectory) + "/" + netlog::kLogFile;
  TRY_ASSIGN(Fd made, start_log_maker(log, lock));
  TRY_ASSIGN(const auto loop, loop::Loop::create());
  TRY_ASSIGN(const auto scribe, Scribe::create(*loop, log, std::move(made)));
  TRY_ASSIGN(auto resolver, Resolver::create(*loop, look_up));
  TRY_WITHIN("confine the gate", filter_system_calls());
  {
    const Service service({*loop, *resolver, *scribe, std::move(line), std::move(vaults), std::move(signer),
                           std::move(control), owner, std::move(plan.rules), std::move(plan.hosts), std::move(ports)});
    TRY(loop->run());
  }
  (void)resolver.release();  // its destructor would wait for lookups that are not needed any more
  return Ok{};
}

}  // namespace

Result<Started> start(const wire::NetworkConfig& network, const Options& options) {
  TRY_ASSIGN(Plan plan, plan_for(network));
  TRY_ASSIGN(SocketPair vaults, make_line());
  TRY_ASSIGN(SocketPair signer, make_line());
  TRY_ASSIGN(HelperProcess gate, start_helper({"sandbox-gate", "the gate"}, [&](Fd& line) {
               return serve(std::move(plan), options, line, std::move(vaults.theirs), std::move(signer.theirs));
             }));
  return Started{gate.pid, std::move(gate.line), std::move(vaults.ours), std::move(signer.ours)};
}

}  // namespace sbx::gate
