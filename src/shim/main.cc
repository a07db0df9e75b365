// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <optional>

#include "backends/helpers_group.h"
#include "backends/shim_input.h"
#include "base/descriptor_limit.h"
#include "base/fault.h"
#include "base/log.h"
#include "base/random.h"
#include "base/socket.h"
#include "base/value.h"
#include "blobs/process.h"
#include "ca/authority.h"
#include "gate/gate.h"
#include "idmap/bases.h"
#include "idmap/idmap.h"
#include "shim/shim.h"
#include "sshagent/process.h"
#include "vault/vault.h"
#include "wire/error.h"

// sandbox-shim: see "The shim's life" in ARCHITECTURE.md. 0: the configuration; 1: readiness; 2: the log.
namespace sbx::shim {
namespace {

constexpr std::size_t kLargestInput = 4u << 20;
constexpr std::size_t kLargestKey = 64u << 10;
constexpr std::int64_t kLargestLog = 2 << 20;
constexpr std::size_t kSeedBytes = 32;
// Guests have 65536 ids from id_base; the next one is the shim's own, then comes QEMU's, then the gate's, the vault's
// and the signer's.
constexpr std::uint32_t kConfinedOffset = 65536;
constexpr std::uint32_t kGateOffset = kConfinedOffset + 2;
constexpr std::uint32_t kVaultOffset = kConfinedOffset + 3;
constexpr std::uint32_t kSignerOffset = kConfinedOffset + 4;

// What a network is made of.
struct NetworkParts {
  pid_t gate = -1;
  Fd line;    // to the gate
  Fd keeper;  // the line to the vault's
  Fd roots;   // whom the host trusts
  Fd key;     // of the sandbox's own authority
  Fd signer;  // the line to it, if the sandbox has an ssh-agent
  Fd blobs;   // the line to the cache of them, if the sandbox has one
};

// A sandbox without it only fetches more.
Fd start_blob_cache(const wire::BlobCache& cache, bool privileged) {
  if (cache.directory.empty()) return {};
  auto started =
      blobs::start({cache.directory, static_cast<std::uint64_t>(cache.bytes), privileged ? idmap::kBlobCache : 0});
  if (started) return std::move(started->line);
  log_error("nothing of registries is kept: {}", started.error().what());
  return {};
}

// The guest is told of it, too.
Result<NetworkParts> prepare_network(wire::GuestConfig& guest, const wire::NetworkConfig& config,
                                     const gate::Options& options, const vault::Options& vault,
                                     const sshagent::Options& signer) {
  TRY_ASSIGN(gate::Started gate, gate::start(config, options));
  TRY_ASSIGN(gate::HelperProcess keeper, vault::start(vault, std::move(gate.vaults)));
  Fd signer_line;
  if (guest.ssh_agent) {
    TRY_ASSIGN(gate::HelperProcess started, sshagent::start(signer, std::move(gate.signer)));
    signer_line = std::move(started.line);
  }
  Fd blobs = start_blob_cache(config.blob_cache, options.id != 0);
  TRY_ASSIGN(Fd key, open_path("proxy_cacerts/proxy-ca.key", O_RDONLY | O_NOFOLLOW));
  TRY_ASSIGN(const std::string hash, ca::subject_hash(config.ca_certificate));
  guest.network = wire::GuestNetwork{config.ca_certificate, hash};
  return NetworkParts{gate.pid,       std::move(gate.line),   std::move(keeper.line), tls::Trust::open_bundle(),
                      std::move(key), std::move(signer_line), std::move(blobs)};
}

// SECURITY: the key is read when everybody has been forked who has our memory and no business with it: the gate, and
// what watches over a machine.
Result<std::unique_ptr<Network>> make_network(loop::Loop& loop, const std::string& sandbox,
                                              const wire::NetworkConfig& config, NetworkParts parts) {
  TRY_ASSIGN(std::string key, read_all(parts.key, kLargestKey));
  return Network::create({loop, sandbox, config, std::move(key), std::move(parts.line), std::move(parts.keeper),
                          std::move(parts.roots), std::move(parts.signer), std::move(parts.blobs)});
}

// In this order: what needs the state directory by path comes before the machine, because the backend may hide it.
Result<std::unique_ptr<Shim>> start(loop::Loop& loop, const backends::ShimInput& input, Fd& ready) {
  if (fault_here("shim.started")) return fail(Code::kInternal, "fault injected at the start");
  const bool privileged = idmap::privileged();
  // SECURITY: ids that begin at 0 would be the host's own.
  if (privileged && input.machine.id_base == 0) return fail(Code::kInternal, "the machine has no ids of its own");
  TRY_ASSIGN(Fd listener, listen_unix("shim.sock"));
  TRY_ASSIGN(Fd output, open_path("output.log", O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0600));
  TRY_ASSIGN(Fd exec_keys, open_path("exec.keys", O_RDWR | O_CREAT | O_NOFOLLOW, 0600));
  TRY_ASSIGN(const auto backend, backends::make_backend(input.machine.backend, input.machine.settings));
  const backends::Traits traits = backend->traits();       // asked before the namespaces change the answer
  backends::enter_helpers_group(input.machine, *backend);  // before there is another process
  Fd console;
  Fd clock;
  wire::GuestConfig guest = input.guest;
  if (traits.own_kernel) {
    // For the random numbers of a kernel of its own, of which two may have been thawed from the same image.
    guest.seed = random_hex(kSeedBytes);
    TRY_ASSIGN(console, open_path("console.log", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW, 0600));
    TRY_ASSIGN(clock, HostClock::open());
  }
  // Before the machine, for which the network must be there, and before there is a thread.
  NetworkParts parts;
  if (input.network) {
    const std::string& directory = input.machine.state_directory;
    const auto id = [&](std::uint32_t offset) { return privileged ? input.machine.id_base + offset : 0; };
    TRY_ASSIGN(parts, prepare_network(guest, *input.network, {directory, id(kGateOffset)},
                                      {directory, id(kVaultOffset)}, {directory, id(kSignerOffset)}));
  }
  TRY_ASSIGN(auto machine, backend->start(input.machine));
  guest.max_shared_files = machine->shared_file_limit();
  const pid_t gate = parts.gate;
  std::unique_ptr<Network> network;
  if (input.network) {
    TRY_ASSIGN(network, make_network(loop, guest.name, *input.network, std::move(parts)));
  }
  return std::make_unique<Shim>(Shim::Inputs{
      loop, std::move(machine), backend->isolation(), traits.limits_enforced, std::move(guest), std::move(listener),
      std::move(output), std::move(exec_keys), std::move(console), std::move(clock), std::move(ready),
      privileged ? input.machine.id_base + kConfinedOffset : 0, std::move(network), gate});
}

Result<> run(const Fd& file, Fd& ready) {
  TRY_ASSIGN(const std::string text, read_all(file, kLargestInput));
  TRY_ASSIGN(const auto input, value_in<backends::ShimInput>(text, "shim input", Unknown::kIgnored));
  TRY_ASSIGN(const auto loop, loop::Loop::create());
  TRY_ASSIGN(const auto shim, start(*loop, input, ready));
  return shim->serve();
}

}  // namespace
}  // namespace sbx::shim

int main() {
  ::signal(SIGPIPE, SIG_IGN);
  sbx::raise_descriptor_limit();           // a connection of the guest's costs one or two, and the usual limit is 1024
  sbx::bound_log(sbx::shim::kLargestLog);  // the gate's, too, which is forked from us
  ::umask(022);  // the guest's root directory gets its mode from us, whatever the user's habits
  const sbx::Fd input(::fcntl(0, F_DUPFD_CLOEXEC, 3));
  sbx::Fd ready(::fcntl(1, F_DUPFD_CLOEXEC, 3));
  // 1 must not stay open behind our back: its end of file is how the daemon learns that we died.
  const sbx::Fd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  ::dup2(null.get(), 0);
  ::dup2(null.get(), 1);
  if (auto done = sbx::shim::run(input, ready); !done) {
    sbx::log_error("{}", done.error().what());
    if (ready) (void)sbx::write_all(ready, sbx::dump(sbx::wire::encode(done.error())) + "\n");
    return 1;
  }
  return 0;
}
