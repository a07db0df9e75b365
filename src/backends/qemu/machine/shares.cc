// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/machine/shares.h"

#include <unistd.h>

#include "backends/mounting.h"
#include "backends/qemu/machine/command_line.h"
#include "backends/qemu/machine/jail.h"
#include "backends/qemu/machine/programs.h"
#include "base/socket.h"
#include "idmap/idmap.h"
#include "wire/guest.h"

namespace sbx::backends::qemu {
namespace {

constexpr const char* kSharedDirectory = "/shared";

// Both ends: the one listens, and the other is connected already.
Result<Fd> connected_listener(Fd& connection) {
  constexpr const char* kSocket = "virtiofs.sock";  // in the state directory, which no other user may enter
  TRY_ASSIGN(Fd listener, listen_unix(kSocket));
  TRY_ASSIGN(connection, connect_unix(kSocket));
  ::unlink(kSocket);
  return listener;
}

Result<> add_mounts(Jail& jail, const MachineSpec& spec, const std::string& modules) {
  jail.directories.emplace_back(kSharedDirectory);
  TRY_ASSIGN(Shared shared_modules, share_system(modules));
  jail.entries.push_back({std::string(kSharedDirectory) + "/" + wire::kModulesTag, std::move(shared_modules)});
  for (std::size_t i = 0; i < spec.mounts.size(); ++i) {
    TRY_ASSIGN(Shared shared, share_mount(spec.mounts[i], spec));
    jail.entries.push_back({kSharedDirectory + ("/m" + std::to_string(i)), std::move(shared)});
  }
  return Ok{};
}

}  // namespace

// It acts for every id of the guest's, and so is the root of a user namespace that holds those ids and no others.
Result<Shares> start_shares(const MachineSpec& spec, const std::string& modules, const Fd& lock, const Fd& log) {
  TRY_ASSIGN(const Virtiofsd program, find_virtiofsd());
  Fd connection;
  TRY_ASSIGN(const Fd listener, connected_listener(connection));
  Jail jail;
  TRY(add_libraries(jail));
  if (!program.path.starts_with("/usr/lib/")) TRY(add_system(jail, program.path));
  TRY(add_mounts(jail, spec, modules));
  jail.proc = true;
  jail.keeps_capabilities = true;
  Fd ids;
  if (idmap::privileged()) {
    TRY_ASSIGN(ids, user_namespace_with(guest_map(spec)));
    jail.user_namespace = &ids;
  }
  Command command;
  const bool maps_files = program.flavour == Flavour::kRust && has_option(program, "--allow-mmap");
  command.argv = virtiofsd_command({program.path, program.flavour, 3, kSharedDirectory, maps_files});
  command.environment.emplace();
  command.stderr_fd = log.get();
  command.passed_fds = {listener.get(), lock.get()};
  TRY_ASSIGN(Child server, start_jailed(jail, command));
  return Shares{std::move(server), std::move(connection)};
}

}  // namespace sbx::backends::qemu
