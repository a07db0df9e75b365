// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/signer_control.h"

namespace sbx::wire {

void describe(Members&, SetSshAgent&) {}

void describe(Members& members, SshUse& use) {
  members.required("number", use.number);
  members.required("key", use.key);
  members.required("user", use.user);
  members.required("host", use.host);
  members.required("host_key", use.host_key);
}

void describe(Members& members, SshUseNoted& noted) { members.required("number", noted.number); }

}  // namespace sbx::wire
