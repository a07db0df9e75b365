// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "wire/sandbox.h"

namespace sbx::cli {

// What `ls --filter KEY=VALUE` leaves, by docker's rules: of one key any of the values will do, and each key that is
// given has to be met.
//
//   TRY_ASSIGN(const Filters filters, Filters::parse({"status=running", "name=web"}));
//   std::erase_if(sandboxes, [&](const auto& sandbox) { return !filters.pass(sandbox); });
class Filters {
 public:
  // kInvalid names the filter that means nothing, and those that there are.
  static Result<Filters> parse(const std::vector<std::string>& texts);

  bool pass(const wire::SandboxInfo& sandbox) const;

 private:
  struct Wanted {
    std::size_t row;  // of the table of keys
    std::string value;
  };
  std::vector<Wanted> wanted_;
};

}  // namespace sbx::cli
