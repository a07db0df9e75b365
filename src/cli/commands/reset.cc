// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdio>

#include "cli/commands/verbs.h"
#include "cli/views/output.h"

namespace sbx::cli::verbs {
namespace {

constexpr int kDeclined = 1;

// One line of standard input, read byte by byte so that nothing behind it is taken from the program that reads next.
bool user_agrees(const Fd& in) {
  print(
      "WARNING! This stops and removes every sandbox and all that is in them. Workspaces are not touched.\n"
      "Are you sure you want to continue? (y/N): ");
  std::fflush(stdout);
  std::string answer;
  char c = 0;
  while (::read(in.get(), &c, 1) == 1 && c != '\n') answer += c;
  return answer == "y" || answer == "Y" || answer == "yes";
}

}  // namespace

Result<int> reset(Context& context, const Arguments& arguments) {
  if (!arguments.on("force") && !user_agrees(context.streams.in)) {
    note("Nothing was changed");
    return kDeclined;
  }
  TRY_ASSIGN(const Client client, context.client());
  TRY(client.post({"reset"}, Json::object()));
  print("All VMs reset successfully\n");
  return 0;
}

}  // namespace sbx::cli::verbs
