// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/gate_control.h"

namespace sbx::wire {

void describe(Members& members, SetPolicy& call) { members.required("rules", call.rules); }
void describe(Members& members, PublishPorts& call) { members.optional("ports", call.ports); }
void describe(Members& members, UnpublishPorts& call) { members.optional("ports", call.ports); }
void describe(Members&, ListPorts&) {}
void describe(Members& members, SetHosts& call) { members.optional("hosts", call.hosts); }
void describe(Members&, FlushLog&) {}

}  // namespace sbx::wire
