// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/views/progress.h"

#include <algorithm>
#include <cstdio>

#include "base/format.h"
#include "base/text.h"
#include "cli/terminal/terminal.h"

namespace sbx::cli {
namespace {

constexpr std::size_t kBar = 24;

}  // namespace

std::string progress_line(const Step& step, std::size_t width) {
  std::string line = printable(step.name);
  if (step.total > 0) {
    const std::int64_t done = std::clamp<std::int64_t>(step.done, 0, step.total);
    const double share = static_cast<double>(done) / static_cast<double>(step.total);
    const auto filled = static_cast<std::size_t>(share * kBar);
    line += sbx::format("  [{}{}] {:3.0f}%", std::string(filled, '#'), std::string(kBar - filled, ' '), share * 100);
  }
  return line.substr(0, width);
}

Progress::Progress(const Fd& err, bool quiet) : on_terminal_(is_terminal(err)), quiet_(quiet) {}

void Progress::show(const Step& step) {
  if (quiet_) return;
  if (on_terminal_) {
    // Short enough not to wrap: a wrapped line cannot be overwritten.
    std::fprintf(stderr, "\r\x1b[K%s", progress_line(step, 79).c_str());
    shown_ = true;
  } else if (step.name != last_step_) {
    std::fprintf(stderr, "%s\n", printable(step.name).c_str());
  }
  last_step_ = step.name;
}

void Progress::clear() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
  shown_ = false;
}

}  // namespace sbx::cli
