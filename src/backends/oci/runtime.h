// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace sbx::backends::oci {

// An OCI runtime program: runc, crun, runsc.
class Runtime {
 public:
  // The first of `names` that is installed and runs here. crun refuses hybrid cgroups, so there it is passed over.
  static Result<Runtime> find(const std::vector<std::string>& names);

  const std::string& name() const { return name_; }

  // Starts a container from bundle/config.json with `channel` as descriptor 3 of its first process, and returns that
  // process, which is then a child of ours (we are its subreaper). State goes to runtime_directory. The runtime itself
  // dies with the calling thread.
  Result<pid_t> start(const std::string& id, const std::string& bundle, const std::string& runtime_directory,
                      const Fd& channel) const;

  // Until the runtime that was started with this directory can write nothing more into it, nor make another group: it
  // may outlive a shim that was killed by a moment.
  static Result<> wait_for_end(const std::string& runtime_directory);

 private:
  Runtime(std::string name, std::string program) : name_(std::move(name)), program_(std::move(program)) {}

  std::string name_;
  std::string program_;
};

}  // namespace sbx::backends::oci
