// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/members.h"

// The vendor's endpoints, with the vendor's names.
namespace sbx::wire {

// GET /vm: one of its array.
struct VmSummary {
  std::string id;
  std::string name;
  std::string agent;
  std::string workspace;
};

// POST /vm.
struct VmRequest {
  std::string agent;
  std::string workspace;
};

struct VmConfig {
  std::string socket;
  std::vector<std::string> shared_directories;
  std::string state_directory;
  std::string asset_directory;
};

struct Vm {
  std::string id;
  std::string name;
  VmConfig config;
  std::string certificate_path;
  std::string certificate;  // base64 of the PEM file
};

void describe(Members& members, VmSummary& summary);
void describe(Members& members, VmRequest& request);
void describe(Members& members, VmConfig& config);
void describe(Members& members, Vm& vm);

}  // namespace sbx::wire
