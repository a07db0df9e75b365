// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "exchange/exec_stream.h"
#include "images/progress.h"
#include "layers/unpack.h"
#include "sandboxes/sandboxes.h"
#include "wire/exec.h"

namespace sbx::builds {

// A sandbox that the steps of a build run in: on an image that is here, without a workspace, under the network policy
// of new sandboxes. It is removed with the object; that of a daemon that died, by the next one's recovery.
class Workbench {
 public:
  // `hosts`: what the policy lets it reach besides.
  static Result<std::unique_ptr<Workbench>> open(sandboxes::Sandboxes& sandboxes, const std::string& image,
                                                 const std::vector<std::string>& hosts);
  ~Workbench();
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;

  const std::string& name() const { return name_; }
  Result<exchange::ExecStream> start(wire::ExecRequest request) {
    return sandboxes_.execs.open(name_, std::move(request));
  }
  // All that has changed in it, as a layer in the store; nothing if that is nothing.
  Result<std::optional<layers::Unpacked>> changes(const images::Progress& progress);

 private:
  Workbench(sandboxes::Sandboxes& sandboxes, std::string name) : sandboxes_(sandboxes), name_(std::move(name)) {}

  sandboxes::Sandboxes& sandboxes_;
  const std::string name_;
};

}  // namespace sbx::builds
