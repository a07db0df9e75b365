// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/confirmation.h"

#include <unistd.h>

#include <cstdio>
#include <string>

#include "cli/views/output.h"

namespace sbx::cli::verbs {

bool user_agrees(const Fd& in, std::string_view warning) {
  print(warning);
  print("\nAre you sure you want to continue? (y/N): ");
  std::fflush(stdout);
  std::string answer;
  char c = 0;
  while (::read(in.get(), &c, 1) == 1 && c != '\n') answer += c;
  return answer == "y" || answer == "Y" || answer == "yes";
}

}  // namespace sbx::cli::verbs
