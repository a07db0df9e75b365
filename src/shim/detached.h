// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "loop/lifeline.h"
#include "shim/guest.h"
#include "shim/output_log.h"

namespace sbx::shim {

// An exec without a client and without a terminal.
class Detached : public Listener {
 public:
  using OnOpened = std::function<void(std::int64_t pid)>;
  using OnDone = std::function<void(const wire::ExecExit& exit)>;

  Detached(loop::Loop& loop, Guest& guest, OutputLog& log, const wire::ExecRequest& request, OnOpened on_opened,
           OnDone on_done);

  void opened(std::int64_t pid) override { on_opened_(pid); }
  void output(wire::Kind kind, std::string_view bytes) override;
  void writable() override {}
  void ended(const wire::ExecExit& exit) override;

 private:
  Guest& guest_;
  OutputLog& log_;
  OnOpened on_opened_;
  OnDone on_done_;
  std::uint32_t stream_;
  loop::Lifeline lifeline_;
};

}  // namespace sbx::shim
