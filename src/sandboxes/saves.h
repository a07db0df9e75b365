// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "backends/host_changes.h"
#include "base/result.h"
#include "exchange/exec_stream.h"
#include "images/progress.h"
#include "images/templates.h"
#include "layers/unpack.h"
#include "sandboxes/backend_table.h"
#include "sandboxes/execs.h"
#include "sandboxes/lifecycle.h"
#include "sandboxes/machines.h"
#include "sandboxes/parts.h"
#include "sandboxes/registry.h"

namespace sbx::sandboxes {

// Makes layers and templates of what sandboxes have changed. What is the sandbox's own is not in them
// (archive/left_out.h). A running one stands still while it is copied; a stopped one is stopped afterwards. A stop or
// rm meanwhile ends the copy. What the guest is asked for has a deadline or a least pace, however it answers.
class Saves {
 public:
  Saves(const Parts& parts, const Registry& registry, const BackendTable& backends, const Machines& machines,
        Lifecycle& lifecycle, const Execs& execs)
      : parts_(parts),
        registry_(registry),
        backends_(backends),
        machines_(machines),
        lifecycle_(lifecycle),
        execs_(execs) {}

  // The sandbox's changes as a layer in the store; nothing if there are none. No image names it yet: it may be removed
  // again unless the caller has Templates::hold() from before.
  Result<std::optional<layers::Unpacked>> layer_of(const std::string& name, const images::Progress& progress);
  // A template of the sandbox's template and that layer, by the name `tag`. A kill at any point leaves it undone or
  // done.
  Result<images::Template> save(const std::string& name, const std::string& tag, const images::Progress& progress);
  // A template as a file for docker.
  Result<images::Export> archive(const std::string& template_name) const;

 private:
  using Layer = std::optional<layers::Unpacked>;

  Result<Layer> layer_held(Sandbox& sandbox, const images::Progress& progress);
  Result<Layer> layer_by_host(Sandbox& sandbox, const backends::HostChanges& host, const layers::BytesRead& progress);
  Result<Layer> layer_by_guest(Sandbox& sandbox, const layers::BytesRead& progress);
  Result<Layer> layer_from(exchange::ExecStream stream, const layers::BytesRead& progress);
  Result<exchange::ExecStream> builtin(Sandbox& sandbox, wire::Builtin builtin) const;
  Result<exchange::ExecStream> hold(Sandbox& sandbox) const;
  Result<images::Templates*> library() const;

  const Parts& parts_;
  const Registry& registry_;
  const BackendTable& backends_;
  const Machines& machines_;
  Lifecycle& lifecycle_;
  const Execs& execs_;
};

}  // namespace sbx::sandboxes
