// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/fd.h"

namespace sbx::shim {

// A file that a guest fills: bounded. When it is full it starts anew, because a shim without privileges cannot rename
// in a directory that is not its own.
class OutputLog {
 public:
  explicit OutputLog(Fd file) : file_(std::move(file)) {}
  void append(std::string_view bytes);

 private:
  Fd file_;
};

}  // namespace sbx::shim
