// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/context.h"

namespace sbx::cli::verbs {

// Does it to each name and prints the name when it is done. An error is shown and the others still get their turn; the
// exit code is 125 if there was one.
enum class Missing { kError, kPassedOver };  // a sandbox that is not there
int for_each_name(const Context& context, const std::vector<std::string>& names,
                  const std::function<Result<>(const std::string& name)>& action, Missing missing = Missing::kError);

}  // namespace sbx::cli::verbs
