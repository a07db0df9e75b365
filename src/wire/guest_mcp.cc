// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/guest_mcp.h"

namespace sbx::wire {

void describe(Members& members, GuestMcp& mcp) {
  members.optional("servers", mcp.servers);
  members.optional("path", mcp.path);
  members.optional("member", mcp.member);
  members.optional("toml", mcp.toml);
  members.optional("entries", mcp.entries);
  members.optional("plain", mcp.plain);
  members.sparse("revoked", mcp.revoked);
}

}  // namespace sbx::wire
