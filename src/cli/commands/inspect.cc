// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include "base/value.h"
#include "cli/client/remote.h"
#include "cli/client/secrets.h"
#include "cli/commands/verbs.h"
#include "cli/views/go_template.h"
#include "cli/views/listing.h"
#include "cli/views/output.h"
#include "cli/words/policy_text.h"

namespace sbx::cli::verbs {
namespace {

std::uint64_t inode_of_workspace(const wire::SandboxInfo& sandbox) {
  struct stat info {};
  if (sandbox.workspaces.empty() || ::stat(sandbox.workspaces.front().source.c_str(), &info) != 0) return 0;
  return info.st_ino;
}

// A policy that cannot be read does not hide the rest.
Json policy_of(const Client& client, const wire::SandboxInfo& sandbox) {
  const auto rules = get_policy(client, sandbox.name);
  return rules ? policy_summary(*rules) : Json{{"error", rules.error().what()}};
}

Json credentials_of(const Client& client, const wire::SandboxInfo& sandbox) {
  const auto known = get_credentials(client, sandbox.name);
  return known ? json_of(*known)["credentials"] : Json{{"error", known.error().what()}};
}

std::int64_t size_of(const Client& client, const wire::SandboxInfo& sandbox) {
  const auto usage = disk_usage(client, sandbox.name);
  return usage && !usage->sandboxes.empty() ? usage->sandboxes.front().bytes : 0;
}

}  // namespace

Result<int> inspect(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Client client, context.client());
  int code = 0;
  std::vector<Json> found;
  for (const std::string& name : arguments.operands()) {
    const auto sandbox = get_sandbox(client, name);
    if (sandbox) {
      found.push_back(
          inspection(*sandbox, inode_of_workspace(*sandbox), policy_of(client, *sandbox), size_of(client, *sandbox)));
      found.back()["credentials"] = credentials_of(client, *sandbox);
      continue;
    }
    context.print_error(sandbox.error());
    code = 125;
  }
  if (arguments.given("format")) {
    TRY(print_values(context.streams.out, arguments.text("format"), std::move(found)));
  } else {
    print_json(Json(found));
  }
  return code;
}

}  // namespace sbx::cli::verbs
