// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

// Manual pages, from the command table: sandbox.1, and sandbox-run.1 and so on.
namespace sbx::cli {

struct ManualPage {
  std::string file;
  std::string text;  // roff, with man macros
};

std::vector<ManualPage> manual_pages();

}  // namespace sbx::cli
