// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace sbx::agentloop {

struct Story {
  std::size_t place = 0;  // in the file
  std::string id;
  std::string title;
  std::string description;
  std::vector<std::string> acceptance;
  std::int64_t priority = 0;  // a smaller one comes first
  bool passes = false;
  bool skipped = false;
};

// prd.json: stories ("stories" or "userStories") with what makes them pass ("acceptance_criteria", "acceptanceCriteria"
// or "acceptance"). What we do not know of it stays as it is, and in its order.
class Prd {
 public:
  // SECURITY: the agent writes it, and may want our memory.
  static constexpr std::size_t kLongest = 1u << 20;
  static Result<Prd> parse(std::string_view text);

  std::vector<Story> stories() const;
  std::optional<Story> next() const;  // of those that neither pass nor are skipped
  bool all_pass() const { return !next(); }
  std::optional<Story> story(std::string_view id) const;
  // False: there is no such story any more, or it was so before.
  bool mark(std::string_view id, bool passes);
  std::string text() const;

 private:
  explicit Prd(Json json) : json_(std::move(json)) {}
  Json& list();
  const Json& list() const { return const_cast<Prd*>(this)->list(); }

  Json json_;
};

}  // namespace sbx::agentloop
