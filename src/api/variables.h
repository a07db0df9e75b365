// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sbx::api {

// What the variables of a route's pattern stand for in one request's path.
//
//   const auto found = Variables::match("/sandboxes/{name}/sessions/{session}", {"sandboxes", "box", "sessions", "7"});
//   (*found)["session"]  // "7"
class Variables {
 public:
  // Nothing if the path, given by its segments, is not one of the pattern. A segment of a pattern is literal or one
  // {variable}, which stands for any segment that is not empty.
  static std::optional<Variables> match(std::string_view pattern, const std::vector<std::string>& segments);

  // Aborts if the pattern has no such variable: a handler asks for those of its own route only.
  const std::string& operator[](std::string_view variable) const;

 private:
  std::vector<std::pair<std::string, std::string>> values_;
};

}  // namespace sbx::api
