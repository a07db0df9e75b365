// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/verbs.h"
#include "cli/own_version.h"
#include "cli/views/diagnosis.h"
#include "cli/views/output.h"

namespace sbx::cli::verbs {

Result<int> diagnose(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Home home, Home::find());
  const auto config = config::read_config();
  std::vector<backends::Check> checks = own_checks(home);
  checks.push_back(configuration_check(config));
  const config::Config settled = config.value_or(config::Config());
  for (auto& check : backend_checks(home, {settled.kernel, settled.modules}, settled.backend))
    checks.push_back(std::move(check));
  if (arguments.on("json")) {
    Json json = {{"version", own_version()}};
    json.update(diagnosis_json(checks));
    print_json(json);
  } else {
    print(diagnosis_text(checks, context.streams.out));
  }
  return any_failed(checks) ? 1 : 0;
}

}  // namespace sbx::cli::verbs
