// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "wire/settings.h"

namespace sbx::sandboxes {

// Places of this host that depend on who runs the daemon. Canonical.
struct HostPlaces {
  std::string state;               // of all sandboxes: ~/.docker/sandboxes
  std::vector<std::string> homes;  // the user's: what $HOME says, and what the accounts say
  std::string runtime_directory;   // $XDG_RUNTIME_DIR; "": none

  static HostPlaces find(const std::string& state);
};

// Which directories and files of the host may be given to a sandbox, and where in it they may go: the tables are in the
// source, docs/mounts.md has them for users. Paths are canonical (sources) or normalised (targets).
//
// A source is refused: the whole host; what holds the host's sockets or kernel (/run, /dev, ...), however; a system
// directory, what contains one and what lies below it, unless read only; a home directory, unless `allow_home`; the
// sandboxes' own state, unless it is in a home that is allowed, where a backend hides it (MachineSpec::hidden).
Result<> check_source(const wire::Mount& mount, bool allow_home, const HostPlaces& places);
// A target is refused where the sandbox would not run with it, and where it has a file of its own.
Result<> check_target(const std::string& target);
// A mount in another one is put on what is there; nothing is made for it in a directory of the host's.
Result<> check_nested(const std::vector<wire::Mount>& mounts);

}  // namespace sbx::sandboxes
