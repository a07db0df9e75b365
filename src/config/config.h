// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "wire/isolation.h"

namespace sbx::config {

// What the user has settled for all sandboxes; docs/config.md is its manual. Read anew whenever it matters, so that an
// edit counts from the next create or start on.
struct Config {
  std::string path;                                               // of the file that says so, also when it is not there
  std::string backend;                                            // of new sandboxes; empty: the host's best
  wire::Isolation minimum_isolation = wire::Isolation::kUnknown;  // any will do
  std::string kernel;  // absolute paths, for backends that boot one; empty: found on the host
  std::string modules;
  std::int64_t docker_cache =
      10LL << 30;  // bytes that blobs of registries may take, for all sandboxes; 0: none is kept
};

// $SANDBOXD_CONFIG, or ~/.sandboxd/config.json.
Result<std::string> config_path();

// The network policy of new sandboxes: proxy-config.json beside that file.
Result<std::string> policy_path();
// The agents of the user's own: agents.json beside that file.
Result<std::string> agents_path();

// A file that is not there says nothing. One that cannot be read, is no JSON object or has a key or value that means
// nothing is an error that names the file and the key: a misspelt minimum would be no minimum.
Result<Config> read_config(const std::string& path);
Result<Config> read_config();  // the one at config_path()

// Whether a sandbox of this grade may be made or started. kForbidden names the file and the key.
Result<> check_isolation(const Config& config, wire::Isolation grade);

}  // namespace sbx::config
