// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/fd.h"
#include "loop/loop.h"
#include "shim/output_log.h"

namespace sbx::shim {

// What the guest's kernel prints: kept in console.log, and its end in memory, for the error that explains why a guest
// did not come up. Hostile text, as all that comes out of a guest.
class Console {
 public:
  Console(loop::Loop& loop, Fd socket, Fd log);
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  void read_rest();                // what is still on its way when the machine has ended
  std::string last_lines() const;  // printable, the newest few in one; empty if nothing was said
  std::string panic() const;       // the line with which the kernel gave up, if it did

 private:
  enum class Read { kSome, kNothing, kEnd };
  Read read_some();

  loop::Loop& loop_;
  Fd socket_;
  OutputLog log_;
  std::string tail_;
};

}  // namespace sbx::shim
