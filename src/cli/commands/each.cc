// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/each.h"

#include <cstdio>

#include "cli/views/output.h"

namespace sbx::cli::verbs {

int for_each_name(const Context& context, const std::vector<std::string>& names,
                  const std::function<Result<>(const std::string& name)>& action, Missing missing, Names done) {
  int code = 0;
  for (const std::string& name : names) {
    if (auto result = action(name); !result) {
      if (missing == Missing::kPassedOver && result.error().code() == Code::kNotFound) continue;
      context.print_error(result.error());
      code = 125;
      continue;
    }
    if (done == Names::kKept) continue;
    print(name + "\n");
    std::fflush(stdout);
  }
  return code;
}

}  // namespace sbx::cli::verbs
