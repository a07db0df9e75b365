// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/fd.h"
#include "cli/client/remote.h"

namespace sbx::cli {

// Shows how far a long request is: one line that changes on a terminal, a line for each new step otherwise. The line on
// the terminal is gone when it ends. The descriptor is borrowed.
class Progress {
 public:
  Progress(const Fd& err, bool quiet);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const Step& step);
  void clear();

 private:
  bool on_terminal_;
  bool quiet_;
  bool shown_ = false;
  std::string last_step_;
};

// "Building template shell  [#####               ]  25%"; without a total, the step alone.
std::string progress_line(const Step& step, std::size_t width);

}  // namespace sbx::cli
