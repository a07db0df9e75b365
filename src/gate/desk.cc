// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/desk.h"

#include <utility>

namespace sbx::gate {
namespace {

constexpr std::size_t kMostUnread = 1u << 20;

}  // namespace

Desk::Desk(Inputs inputs, std::shared_ptr<const policy::Policy> policy)
    : on_gone_(std::move(inputs.on_gone)),
      line_(
          inputs.loop, std::move(inputs.line), [this](std::string_view bytes, const Fd&) { packet(bytes); },
          [this] { leave(); }),
      loans_(inputs.loop),
      dialer_({inputs.loop, inputs.resolver, std::move(inputs.hosts), std::move(inputs.is_ours), loans_,
               [this](const Dialed& dialed, Fd socket) { line_.send(encode(dialed), std::move(socket)); }},
              std::move(policy)) {
  line_.hold_back_above(kMostUnread);
}

Desk::~Desk() { loans_.end_all(); }

void Desk::packet(std::string_view bytes) {
  const auto message = decode_from_shim(bytes);
  bool sense = message.has_value();
  if (sense) {
    if (const auto* dial = std::get_if<Dial>(&*message))
      sense = dialer_.dial(*dial);
    else if (const auto* cancel = std::get_if<Cancel>(&*message))
      dialer_.cancel(cancel->ticket);
    else
      sense = false;
  }
  if (!sense) leave();
}

void Desk::leave() {
  if (const auto on_gone = std::exchange(on_gone_, nullptr)) on_gone();
}

}  // namespace sbx::gate
