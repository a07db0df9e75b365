// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "base/fd.h"
#include "wire/log_head.h"

namespace sbx::shim {

// A file that a guest fills: bounded. When it is full it starts anew, because a shim without privileges cannot rename
// in a directory that is not its own. Its bytes keep their numbers then (wire/log_head.h).
class OutputLog {
 public:
  // Open for appending, and for reading if an earlier shim may have written to it.
  explicit OutputLog(Fd file);
  void append(std::string_view bytes);
  std::int64_t end() const { return head_.number_at(size()); }  // the number of the next byte

 private:
  std::int64_t size() const;

  Fd file_;
  wire::LogHead head_;
};

}  // namespace sbx::shim
