// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "base/child.h"
#include "base/home.h"
#include "cli/commands/verbs.h"

namespace sbx::cli::verbs {

Result<int> setup(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const std::string program, own_program("fetch-kernel"));
  Command command;
  command.argv = {program};
  command.stdin_fd = STDIN_FILENO;  // sudo may ask
  command.stdout_fd = STDERR_FILENO;
  command.stderr_fd = STDERR_FILENO;
  TRY_ASSIGN(Child child, Child::start(command));
  TRY_ASSIGN(const Exit exit, child.wait());
  if (exit.code != 0)
    return fail(Code::kUnavailable, "the kernel for microVMs could not be fetched", "sandbox diagnose");
  return diagnose(context, arguments);
}

}  // namespace sbx::cli::verbs
