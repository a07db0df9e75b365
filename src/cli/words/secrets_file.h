// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sbx::cli {

// .secrets.json of a project: which secrets its programs have in which variables.
//   {"secrets": [{"name": "github", "env_var": "GITHUB_TOKEN", "ttl": "1h"}], "client_id": "my-project"}
struct SecretsFile {
  struct Wanted {
    std::string name;
    std::string variable;
    std::int64_t ttl_s = 0;  // 0: the usual
  };
  std::vector<Wanted> secrets;
  std::string client_id;
};

// A "ttl" is "1h" or a number of nanoseconds, as Go writes durations.
Result<SecretsFile> parse_secrets_file(std::string_view text);

// The nearest one in this directory and those above it.
Result<std::string> find_secrets_file(std::string directory);

// A line of a .env file that shells and dotenv readers take for the same.
std::string env_line(const std::string& variable, const std::string& value);

}  // namespace sbx::cli
