// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backends/backend.h"
#include "base/result.h"
#include "sandboxes/backend_table.h"
#include "sandboxes/parts.h"
#include "sandboxes/sandbox.h"
#include "store/record.h"

namespace sbx::sandboxes {

// What machines are made from and what they leave behind. It starts none: that is Lifecycle's.
class Machines {
 public:
  Machines(const Parts& parts, const BackendTable& backends) : parts_(parts), backends_(backends) {}

  backends::MachineSpec spec_of(const store::Record& record, const backends::Settings& settings = {}) const;
  // What machine.json says, if it can be about this sandbox.
  Result<backends::MachineSpec> last(const std::string& name) const;
  // Ends a shim that is still there, and removes what the last machine left. The caller holds sandbox.operation().
  // Idempotent: does nothing if no machine has been started since the last time.
  Result<> clean_up_held(const Sandbox& sandbox) const;

 private:
  backends::MachineSpec leftover(const store::Record& record) const;
  bool is_anothers(const std::string& id, const std::string& name) const;
  StateDirectory directory_of(const std::string& name) const { return {parts_.store.home(), name}; }

  const Parts& parts_;
  const BackendTable& backends_;
};

}  // namespace sbx::sandboxes
