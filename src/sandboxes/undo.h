// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace sbx::sandboxes {

// What to take back, last first, if a sequence of steps does not reach keep().
class Undo {
 public:
  Undo() = default;
  Undo(const Undo&) = delete;
  Undo& operator=(const Undo&) = delete;
  ~Undo() {
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) (*step)();
  }
  void add(std::function<void()> step) { steps_.push_back(std::move(step)); }
  void keep() { steps_.clear(); }

 private:
  std::vector<std::function<void()>> steps_;
};

}  // namespace sbx::sandboxes
