// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/result.h"

namespace sbx::builds {

// Which image a step led to when it was run before: <templates>/steps/<key>. The image may be gone: it has no name of
// its own, and is pruned like any other.
class StepCache {
 public:
  explicit StepCache(const std::string& templates) : directory_(templates + "/steps") {}

  std::optional<std::string> find(const std::string& key) const;
  Result<> put(const std::string& key, const std::string& image);

 private:
  std::string directory_;
};

}  // namespace sbx::builds
