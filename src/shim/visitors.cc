// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/visitors.h"

#include "streams/socket_stream.h"

namespace sbx::shim {

void Visitors::add(Fd client, std::unique_ptr<streams::Stream> guest) {
  if (full()) return;
  const auto place = relays_.emplace(relays_.end());
  *place = std::make_unique<streams::Relay>(std::make_unique<streams::SocketStream>(loop_, std::move(client)),
                                            std::move(guest), [this, place] {
                                              loop_.discard(std::move(*place));
                                              relays_.erase(place);
                                            });
  (*place)->start();
}

}  // namespace sbx::shim
