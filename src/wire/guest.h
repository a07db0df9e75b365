// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/members.h"
#include "base/timings.h"
#include "wire/exec.h"
#include "wire/guest_mcp.h"

namespace sbx::wire {

// Where every guest has the program `ralph` (guest/boot/ralph.h).
inline constexpr std::string_view kRalph = "/run/sandbox/bin/ralph";

// Spoken on stream 0 when a guest comes up: Hello, then Configure, then Ready. What is per sandbox travels here and not
// on a command line, so that a guest restored from a frozen image can be told who it is.

struct GuestHello {
  std::string version;         // of sandbox-init; must equal the shim's
  std::int64_t uptime_us = 0;  // since init's first instruction
};

// A directory or file of the host's. In a container the runtime has mounted it already and the list is empty. A virtual
// machine has one shared file system (virtiofs, kSharedTag) whose entries are named by `tag`, and init mounts them.
inline constexpr const char* kSharedTag = "sandbox.shared";
// One of them is the directory of the machine's kernel's modules, for when it wants one (guest/boot/modprobe.h).
inline constexpr const char* kModulesTag = "modules";
inline constexpr const char* kModulesTarget = "/run/sandbox/modules";
struct GuestMount {
  std::string tag;
  std::string target;
  bool readonly = false;
};

// The guest's network (docs/life-of-a-connection.md).
struct GuestNetwork {
  std::string ca_certificate;  // PEM: the guest's programs are to trust it; "": there is none
  std::string ca_hash;         // OpenSSL's, of its subject: eight hexadecimal digits
};

// Who commits, in the words of the host's git; never a credential.
struct GitIdentity {
  std::string name;
  std::string email;
};

// A file that init writes: `path` is absolute, or one in the agent's home. "": there is none.
struct GuestFile {
  std::string path;
  std::string content;
};

// The sandbox's own Docker daemon (guest/docker/docker_daemon.h).
struct GuestDocker {
  bool at_once = false;  // and not when its socket is first used
};

struct GuestConfig {
  std::string id;
  std::string name;
  std::string hostname;
  std::string workspace;  // absolute; "" if there is none
  Environment environment;
  std::vector<GuestMount> mounts;
  std::int64_t clock_us = 0;          // the host's wall clock; 0: the guest shares it
  std::int64_t max_processes = 0;     // what init holds the guest to; 0: nothing (a cgroup limits it)
  std::int64_t max_tmp = 0;           // bytes in /tmp, where init mounts it; 0: what the machine allows
  std::int64_t max_shared_files = 0;  // how many files of the shared directories the host can hold; 0: any number
  std::optional<GuestNetwork> network;
  std::optional<GuestDocker> docker;
  bool ssh_agent = false;  // programs find one (guest/network/offered_socket.h)
  std::optional<GuestMcp> mcp;
  GitIdentity git;
  GuestFile guidance;  // for the model, at the first start
  std::string seed;    // hexadecimal, for the random numbers of a kernel of its own; "": it has the host's
};

struct GuestReady {
  Timings timings;
};

// kStop: TERM everybody, wait, KILL, then exit or power off.
struct GuestStop {
  std::int64_t grace_ms = 0;
};

// kFailed: init cannot go on; it exits after this.
struct GuestFailed {
  std::string error;
};

// kClock: the host's wall clock was set, or the host has slept.
struct GuestClock {
  std::int64_t clock_us = 0;
};

void describe(Members& members, GuestHello& hello);
void describe(Members& members, GuestMount& mount);
void describe(Members& members, GuestNetwork& network);
void describe(Members& members, GitIdentity& identity);
void describe(Members& members, GuestFile& file);
void describe(Members& members, GuestDocker& docker);
void describe(Members& members, GuestConfig& config);
void describe(Members& members, GuestReady& ready);
void describe(Members& members, GuestStop& stop);
void describe(Members& members, GuestFailed& failed);
void describe(Members& members, GuestClock& clock);

}  // namespace sbx::wire
