// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "images/progress.h"

namespace sbx::images {

// Listens to what mmdebstrap prints and tells it on as progress; remembers the end of it for the case of a failure.
class BuildLog {
 public:
  explicit BuildLog(const Progress& progress) : progress_(progress) {}

  void append(std::string_view bytes);  // whole lines or parts of them
  void unpacked(std::int64_t bytes);    // so many bytes of the tree are in place

  // The last lines that say something about a failure, joined by "; ".
  std::string complaint() const;

 private:
  void line(const std::string& text);
  void enter(std::string_view step, std::string_view counted);
  void report(bool at_once);

  const Progress& progress_;
  std::string partial_;
  std::deque<std::string> recent_;
  std::string_view step_;
  std::string_view counted_;  // what the lines begin with that are counted in this step
  std::int64_t done_ = 0;
  std::int64_t total_ = 0;
  std::int64_t packages_ = 0;
  std::chrono::steady_clock::time_point reported_;
};

}  // namespace sbx::images
