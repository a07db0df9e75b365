// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "gate/message.h"

// What a vault, its keeper and the shim say to each other, one packet each (gate/line.h).
namespace sbx::vault {

using gate::Ticket;

// From the keeper: to the shim and the gate a line to a new vault, which is attached; to the vault credentials, which
// are attached.
struct NewVault {};
struct Load {
  std::uint64_t number;
};

// From the vault to its keeper: these credentials hold, or why they do not.
struct Loaded {
  std::uint64_t number;
  std::string error;  // empty: they hold
};

// From the shim, which the vault does not trust. A dial is answered with gate::Dialed and, attached, one end of a
// socket pair (vault/frames.h).
struct Held {  // these bindings hold
  std::uint64_t number;
};
using FromShim = std::variant<Held, gate::Dial, gate::Cancel>;

// From the vault to the shim.
struct BindingsPart {  // they may be larger than a packet
  std::uint64_t number;
  bool last;
  std::string text;
};
using ToShimMessage = std::variant<BindingsPart, gate::Dialed>;

std::string encode(const NewVault& made);
std::string encode(const Load& load);
std::string encode(const Loaded& loaded);
std::string encode(const Held& held);
std::string encode(const BindingsPart& part);

bool is_new_vault(std::string_view packet);
Result<Load> decode_load(std::string_view packet);
Result<Loaded> decode_loaded(std::string_view packet);
Result<FromShim> decode_from_shim(std::string_view packet);
Result<ToShimMessage> decode_from_vault(std::string_view packet);

}  // namespace sbx::vault
