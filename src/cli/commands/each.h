// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/context.h"

namespace sbx::cli::verbs {

enum class Missing { kError, kPassedOver };  // what is not there
enum class Names { kPrinted, kKept };        // of what it was done to: printed, or kept for a caller that prints JSON

// Does it to each name and prints the name when it is done. An error is shown and the others still get their turn; the
// exit code is 125 if there was one.
int for_each_name(const Context& context, const std::vector<std::string>& names,
                  const std::function<Result<>(const std::string& name)>& action, Missing missing = Missing::kError,
                  Names done = Names::kPrinted);

}  // namespace sbx::cli::verbs
