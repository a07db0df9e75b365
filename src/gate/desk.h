// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "gate/dialer.h"
#include "gate/line.h"
#include "gate/loans.h"

namespace sbx::gate {

// Where a vault has its dials made: a line of its own, with the messages of the shim's, of which it may say Dial and
// Cancel. What was lent to it ends with it.
class Desk {
 public:
  struct Inputs {
    loop::Loop& loop;
    Resolver& resolver;
    StaticHosts hosts;
    Dialer::IsOurs is_ours;
    Fd line;
    std::function<void()> on_gone;  // the vault has ended, or speaks nonsense. Once; not to be destroyed in the call
  };
  Desk(Inputs inputs, std::shared_ptr<const policy::Policy> policy);
  ~Desk();
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  Dialer& dialer() { return dialer_; }

 private:
  void packet(std::string_view bytes);
  void leave();

  std::function<void()> on_gone_;
  Line line_;
  Loans loans_;
  Dialer dialer_;
};

}  // namespace sbx::gate
