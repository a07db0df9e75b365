// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backends/backend.h"
#include "base/fd.h"
#include "base/result.h"

namespace sbx::backends {

// Unix sockets of the host's in what a container shares. Who connects to one is on the host, whatever network namespace
// it has, and a read-only mount is no obstacle; so an empty file is mounted over each that is there at the start.
//
// SECURITY: one that appears later is not covered (docs/threat-model.md says what is left).
class SocketCovers {
 public:
  // `inert` is where the empty file is made: a path of the calling process's own mount namespace.
  static Result<SocketCovers> create(const std::string& inert);

  // Searches a mounted directory, whose name on the host is `source`. An error only if one that was found could not be
  // covered: then the sandbox must not start.
  Result<> add(const std::string& directory, const std::string& source);

  const CoveredSockets& covered() const { return covered_; }

 private:
  explicit SocketCovers(Fd inert) : inert_(std::move(inert)) {}

  Fd inert_;
  CoveredSockets covered_;
};

// Those that a start would cover now.
CoveredSockets live_sockets_in(const std::vector<wire::Mount>& mounts);

}  // namespace sbx::backends
