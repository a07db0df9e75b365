// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/fault.h"

#include <signal.h>

#include <cstdlib>
#include <string>

namespace sbx {
namespace {

constexpr std::string_view kStop = ":stop";

}  // namespace

bool fault_here(std::string_view point) {
  static const char* const wanted = std::getenv("SANDBOXD_FAULT");
  if (wanted == nullptr) return false;
  const std::string_view text(wanted);
  if (text == point) ::raise(SIGKILL);
  if (text.ends_with(kStop) && point.starts_with(text.substr(0, text.size() - kStop.size()))) ::raise(SIGSTOP);
  return text.size() == point.size() + 6 && text.starts_with(point) && text.ends_with(":error");
}

Result<> fault_step(std::string_view point) {
  if (fault_here(point)) return fail(Code::kInternal, "fault injected at " + std::string(point));
  return Ok{};
}

}  // namespace sbx
