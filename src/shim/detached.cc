// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/detached.h"

namespace sbx::shim {
Detached::Detached(loop::Loop& loop, Guest& guest, OutputLog& log, const wire::ExecRequest& request, OnOpened on_opened,
                   OnDone on_done)
    : guest_(guest),
      log_(log),
      on_opened_(std::move(on_opened)),
      on_done_(std::move(on_done)),
      stream_(guest.open(request, *this)),
      lifeline_(loop) {}

void Detached::output(wire::Kind, std::string_view bytes) {
  log_.append(bytes);
  guest_.consumed(stream_, bytes.size());
}

void Detached::ended(const wire::ExecExit& exit) {
  // Later, because on_done_ destroys us.
  lifeline_.later([this, exit] {
    const OnDone done = std::move(on_done_);
    done(exit);
  });
}

}  // namespace sbx::shim
