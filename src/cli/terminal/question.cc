// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/question.h"

#include <unistd.h>

#include <cstdio>
#include <string>

#include "base/format.h"
#include "cli/views/output.h"

namespace sbx::cli {

// The line is read byte by byte, so that nothing behind it is taken from the program that reads next.
bool user_agrees(const Fd& in, std::string_view warning) {
  print(sbx::format("WARNING! {}\nAre you sure you want to continue? (y/N): ", warning));
  std::fflush(stdout);
  std::string answer;
  char c = 0;
  while (::read(in.get(), &c, 1) == 1 && c != '\n') answer += c;
  return answer == "y" || answer == "Y" || answer == "yes";
}

}  // namespace sbx::cli
