// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/child.h"
#include "base/fd.h"
#include "base/members.h"
#include "base/result.h"
#include "base/timings.h"
#include "wire/guest.h"
#include "wire/isolation.h"
#include "wire/settings.h"

namespace sbx::backends {

// What the user's configuration file says about the parts of machines. Empty: found on the host.
struct Settings {
  std::string kernel;   // an uncompressed ELF image with a PVH entry, or a bzImage
  std::string modules;  // the directory of that kernel's modules, as /lib/modules/<release>
};

// Who a root daemon's guest 1000 is on the host: no user of the host's (0), or, for directories on file systems that
// cannot map ids, their owner. Never root.
struct AgentIds {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
};

// What a machine can do beyond what every machine can. A backend's system calls, capabilities and mounts, and the
// guest's configuration, follow from it; `inspect` shows it.
struct Features {
  // Programs of the guest's may make containers: it has control groups to divide, a /proc/sys to write to, as far as
  // the kernel lets its root, and a directory for images that lies on no overlay, kDockerDirectory.
  bool docker = false;
};
inline constexpr const char* kDockerDirectory = "/var/lib/docker";

// Everything that a backend needs to make one machine. Built by the daemon, handed to the shim as JSON.
struct MachineSpec {
  std::string id;
  std::string name;
  std::string hostname;
  std::string backend;                       // a name of the table in backends.cc
  std::string state_directory;               // …/vm/<name>; the backend keeps what it needs in it
  std::string template_image;                // where one that needs the template as an image keeps it, made once
  std::vector<std::string> template_layers;  // the trees of the template, the lowest first; never written to
  std::string cache_directory;               // of the home: what backends make once for all machines
  std::string init_program;                  // sandbox-init on the host
  std::vector<wire::Mount> mounts;           // workspaces and -v, in order; sources are canonical
  std::vector<std::string> hidden;  // canonical paths of the host's that no mount may show: an empty directory is there
  wire::Limits limits;
  Features features;
  Settings settings;
  std::uint32_t id_base = 0;  // as root: first host id of the guest's 65536; rootless: unused
  AgentIds agent;             // as root
};
// Refuses an id or a range of ids that is none of ours: the file may be older than this program, or garbled.
void describe(Members& members, MachineSpec& spec);

// Unix sockets of the host's that were found in what a machine shares, and covered.
struct CoveredSockets {
  std::vector<std::string> paths;  // on the host; at most kMostNamed of them
  std::size_t count = 0;
  bool all_searched = true;  // false: there was more to look through than the bounds allow
  static constexpr std::size_t kMostNamed = 32;
};

// A started machine, as its shim sees it. A backend ends where a connected channel to sandbox-init begins.
class Machine {
 public:
  virtual ~Machine() = default;
  virtual Fd take_channel() = 0;              // once
  virtual Fd take_console() { return Fd(); }  // once: what the guest's kernel prints; none if it is the host's
  // How many files of the shared directories its file server can hold for the guest; 0: any number.
  virtual std::int64_t shared_file_limit() const { return 0; }
  // Only where the guest shares the host's kernel: elsewhere no socket of the host's can be reached.
  virtual CoveredSockets covered_sockets() const { return {}; }
  virtual pid_t pid() const = 0;  // its first process; a child of the calling process
  virtual Timings timings() const = 0;
  // What it was made of and what its helpers have complained about, for the error of a guest that did not come up.
  // Empty if there is nothing to add.
  virtual std::string attempt() { return {}; }
  // Why the machine has ended, if this child, which has ended, was a part that it cannot live without.
  virtual std::optional<std::string> end_of(pid_t pid, const Exit& exit) const = 0;
  virtual void kill() = 0;  // at once and without a word to the guest
};

enum class CheckStatus { kPass, kWarn, kFail, kSkip };
constexpr auto choices(CheckStatus) {
  return std::to_array<Choice<CheckStatus>>({{CheckStatus::kPass, "pass"},
                                             {CheckStatus::kWarn, "warn"},
                                             {CheckStatus::kFail, "fail"},
                                             {CheckStatus::kSkip, "skip"}});
}

// One check of `sandbox diagnose`.
struct Check {
  std::string name;
  CheckStatus status = CheckStatus::kPass;
  std::string message;
  std::string hint;
};
void describe(Members& members, Check& check);

// What a long step is doing now; `total` is 0 when it is not known.
using Progress = std::function<void(std::string_view step, std::int64_t done, std::int64_t total)>;

// The limits that a new sandbox gets: the backend's own where nothing was said.
struct Grant {
  wire::Limits limits;
  std::string note;  // a line that the user should read; usually empty
};

// What kind of machines a backend makes on this host.
struct Traits {
  // The guest's kernel is not the host's. It is told the time and given a seed for its random numbers, it prints to a
  // console, and it runs in one of the sandbox's helper processes.
  bool own_kernel = false;
  // Cgroups hold a machine to its limits. Where they do not, memory and cpu limits are refused at start.
  bool limits_enforced = true;

  // Whether it is init that has to limit the number of processes, because nothing else can.
  bool guest_limits_processes() const { return own_kernel || !limits_enforced; }
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;  // as in --backend
  virtual wire::Isolation isolation() const = 0;
  // Whether this host can run it. The error says what is missing, the hint how to get it.
  virtual Result<> available() const = 0;
  // Asks the host: namespaces that the caller enters may change the answer.
  virtual Traits traits() const = 0;
  // What a sandbox made with these limits gets, whose state will be below `home`; an error where a
  // machine could not live with it, or could not be held to it. Called once, at create; the record holds the answer.
  virtual Result<Grant> grant(const wire::Limits& limits, const std::string& home) const = 0;
  // Who the guest's agent has to be for these to be shared with it; an error if they cannot be. Called once, at create,
  // so that it is not found out at the start; the record holds the answer.
  virtual Result<AgentIds> agent_for(const std::vector<wire::Mount>& mounts) const {
    (void)mounts;
    return AgentIds{};
  }
  // The host's unix sockets that are in these now, where a start would cover them.
  virtual CoveredSockets sockets_in(const std::vector<wire::Mount>& mounts) const {
    (void)mounts;
    return {};
  }
  // What init has to mount by itself; empty where the mounts are made before it runs.
  virtual std::vector<wire::GuestMount> guest_mounts(const MachineSpec& spec) const {
    (void)spec;
    return {};
  }
  // What machines share and what is made once: images, disks. Called by the daemon when a sandbox is created and before
  // each start; costs a few stats when everything is there. A kill at any point leaves nothing that is taken for whole.
  virtual Result<> prepare(const MachineSpec& spec, const Progress& progress) const {
    (void)spec, (void)progress;
    return Ok{};
  }
  // Blocking. Called in the shim, which has a process (and, for the mounts, a mount namespace) of its own.
  virtual Result<std::unique_ptr<Machine>> start(const MachineSpec& spec) = 0;
  // Whatever a machine leaves behind when its shim was killed: processes, cgroups, runtime state. Idempotent; called
  // by the daemon before a start and after an end. The writable layer stays.
  virtual Result<> clean_up(const MachineSpec& spec) const = 0;
  // The writable layer too. Called by rm.
  virtual Result<> destroy(const MachineSpec& spec) const = 0;
  // `home`: where the state of sandboxes is, or will be.
  virtual std::vector<Check> checks(const std::string& home) const = 0;
};

// The table. make_backend("") gives the best that this host's hardware allows, whether or not its programs are
// installed: what is missing is then an error with a hint, and not a weaker wall than the user counts on.
std::vector<std::string> backend_names();
Result<std::unique_ptr<Backend>> make_backend(std::string_view name, const Settings& settings = {});

}  // namespace sbx::backends
