// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backends/qemu/machine/command_line.h"
#include "base/fd.h"
#include "base/result.h"

namespace sbx::backends::qemu {

// One start of a machine, as its error tells of it: what it was made of, and the last lines that QEMU and virtiofsd
// wrote into the log since. The log is opened at the beginning, because a confined shim opens nothing any more.
//   auto attempt = Attempt::begin("shim.log");  attempt->made_of(hardware, kernel);  ...  attempt->told();
class Attempt {
 public:
  // Reads what is written to the log from now on.
  static Result<Attempt> begin(const std::string& log);

  void made_of(const Hardware& hardware, const std::string& kernel);
  // Once: reads the log to its end. Printable.
  std::string told();

 private:
  explicit Attempt(Fd log) : log_(std::move(log)) {}

  Fd log_;
  std::string parts_;
};

}  // namespace sbx::backends::qemu
