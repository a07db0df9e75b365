// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sbx::sshagent {

// Puts the messages of an agent's protocol together as they arrive: four bytes of length, then as many. Holds one
// message and what came with it.
class MessageReader {
 public:
  explicit MessageReader(std::size_t largest) : largest_(largest) {}

  void add(std::string_view bytes) { bytes_ += bytes; }
  // The next that is whole.
  std::optional<std::string> next();
  // A message is empty or larger than the largest: there is no way to go on.
  bool is_broken() const { return broken_; }

 private:
  const std::size_t largest_;
  std::string bytes_;
  bool broken_ = false;
};

// With its length before it.
std::string framed(std::string_view message);

}  // namespace sbx::sshagent
