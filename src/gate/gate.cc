// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/gate.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "base/file.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/socket.h"
#include "gate/confine.h"
#include "gate/jail.h"
#include "gate/log_maker.h"
#include "gate/service.h"
#include "netlog/database.h"
#include "policy/rules_file.h"

namespace sbx::gate {
namespace {

constexpr auto kStartLimit = std::chrono::seconds(20);
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
Result<> serve(Plan plan, const Options& options, Fd& line, Fd vaults) {
  close_all_but({STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, line.get(), vaults.get()});
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
    const Service service({*loop, *resolver, *scribe, std::move(line), std::move(vaults), std::move(control), owner,
                           std::move(plan.rules), std::move(plan.hosts), std::move(ports)});
    TRY(loop->run());
  }
  (void)resolver.release();  // its destructor would wait for lookups that are not needed any more
  return Ok{};
}

[[noreturn]] void run(Plan plan, const Options& options, Fd line, Fd vaults) {
  ::prctl(PR_SET_NAME, "sandbox-gate");
  // Its life is the shim's, which hears these.
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) ::signal(number, SIG_IGN);
  const auto served = serve(std::move(plan), options, line, std::move(vaults));
  if (served) ::_exit(0);
  log_error("the gate ends: {}", served.error().what());
  (void)send_packet(line, encode(GaveUp{served.error()}));
  ::_exit(1);
}

Result<> await_ready(const Fd& line) {
  TRY(set_timeouts(line, kStartLimit));
  auto packet = receive_packet(line);
  if (!packet) return fail(Code::kInternal, "the gate ended without a word");
  TRY_ASSIGN(const auto message, decode_from_gate(*packet));
  if (const auto* gave_up = std::get_if<GaveUp>(&message)) return fail(gave_up->why);
  if (!std::holds_alternative<Ready>(message)) return fail(Code::kInternal, "the gate speaks nonsense");
  return Ok{};
}

}  // namespace

Result<Started> start(const wire::NetworkConfig& network, const Options& options) {
  TRY_ASSIGN(Plan plan, plan_for(network));
  TRY_ASSIGN(SocketPair line, make_line());
  TRY_ASSIGN(SocketPair vaults, make_line());
  const pid_t pid = ::fork();
  if (pid < 0) return fail_errno("fork");
  if (pid == 0) run(std::move(plan), options, std::move(line.theirs), std::move(vaults.theirs));
  line.theirs.reset();
  if (auto ready = await_ready(line.ours); !ready) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return fail(std::move(ready).error());
  }
  return Started{pid, std::move(line.ours), std::move(vaults.ours)};
}

}  // namespace sbx::gate
