// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "wire/exec.h"

namespace sbx::wire {

// Spoken on stream 0 when a guest comes up: Hello, then Configure, then Ready. What is per sandbox travels here and not
// on a command line, so that a guest restored from a frozen image can be told who it is.

struct GuestHello {
  std::string version;         // of sandbox-init; must equal the shim's
  std::int64_t uptime_us = 0;  // since init's first instruction
};

// A directory or file of the host's. In a container the runtime has mounted it already and the list is empty. A virtual
// machine has one shared file system (virtiofs, kSharedTag) whose entries are named by `tag`, and init mounts them.
inline constexpr const char* kSharedTag = "sandbox.shared";
// One of them is the directory of the machine's kernel's modules, for when it wants one (guest/modprobe.h).
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

struct GuestConfig {
  std::string id;
  std::string name;
  std::string hostname;
  std::string workspace;  // absolute; "" if there is none
  Environment environment;
  std::vector<GuestMount> mounts;
  std::int64_t clock_us = 0;          // the host's wall clock; 0: the guest shares it
  std::int64_t max_processes = 0;     // what init holds the guest to; 0: nothing (a cgroup limits it)
  std::int64_t max_shared_files = 0;  // how many files of the shared directories the host can hold; 0: any number
  std::optional<GuestNetwork> network;
  std::string seed;  // hexadecimal, for the random numbers of a kernel of its own; "": it has the host's
};

struct GuestReady {
  Json timings = Json::object();  // step → microseconds
};

Result<GuestHello> decode_guest_hello(const Json& json);
Result<GuestConfig> decode_guest_config(const Json& json);
Result<GuestReady> decode_guest_ready(const Json& json);
Json encode(const GuestHello& hello);
Json encode(const GuestConfig& config);
Json encode(const GuestReady& ready);

}  // namespace sbx::wire
