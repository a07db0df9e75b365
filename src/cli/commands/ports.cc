// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/format.h"
#include "cli/client/remote.h"
#include "cli/commands/verbs.h"
#include "cli/views/output.h"
#include "cli/words/port_spec.h"

namespace sbx::cli::verbs {
namespace {

using Ports = std::vector<wire::PublishedPort>;

Result<std::vector<PortSpec>> specs_of(const Arguments& arguments, std::string_view flag) {
  std::vector<PortSpec> all;
  for (const std::string& text : arguments.list(flag)) {
    TRY_ASSIGN(const auto specs, parse_ports(flag, text));
    all.insert(all.end(), specs.begin(), specs.end());
  }
  return all;
}

// Those that are published and meant; each word has to mean one.
Result<Ports> meant(const Context& context, const wire::SandboxInfo& sandbox, const std::vector<PortSpec>& specs) {
  Ports found;
  for (const PortSpec& spec : specs) {
    const std::size_t before = found.size();
    for (const auto& port : sandbox.ports)
      if (spec.matches(port) && std::ranges::find(found, port) == found.end()) found.push_back(port);
    if (found.size() == before)
      return fail(Code::kNotFound,
                  sbx::format("sandbox {} does not publish its port {} that way", sandbox.name, spec.port),
                  sbx::format("{} ports {}", context.program, sandbox.name));
  }
  return found;
}

void show_changes(const Ports& before, const Ports& after) {
  for (const auto& port : before)
    if (std::ranges::find(after, port) == after.end()) print(sbx::format("Unpublished {}\n", wire::text(port)));
  for (const auto& port : after)
    if (std::ranges::find(before, port) == before.end()) print(sbx::format("Published {}\n", wire::text(port)));
}

}  // namespace

Result<int> ports(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const auto publish, specs_of(arguments, "publish"));
  TRY_ASSIGN(const auto unpublish, specs_of(arguments, "unpublish"));
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const wire::SandboxInfo sandbox, get_sandbox(client, arguments.operands().front()));
  Ports now = sandbox.ports;
  const bool changes = !publish.empty() || !unpublish.empty();
  if (changes) {
    Ports wanted;
    for (const PortSpec& spec : publish) wanted.push_back(spec.published());
    TRY_ASSIGN(const Ports unwanted, meant(context, sandbox, unpublish));
    TRY_ASSIGN(now, change_ports(client, sandbox.name, wanted, unwanted));
  }
  if (arguments.on("json"))
    print_json(ports_json(now));
  else if (changes)
    show_changes(sandbox.ports, now);
  else
    print(ports_table(now));
  return 0;
}

}  // namespace sbx::cli::verbs
