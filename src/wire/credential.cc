// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/credential.h"

namespace sbx::wire {

void describe(Members& members, Credential& credential) {
  members.required("name", credential.name);
  members.required("hosts", credential.hosts);
  members.sparse("header", credential.header);
  members.sparse("prefix", credential.prefix);
  members.sparse("basic_user", credential.basic_user);
  members.sparse("placeholders", credential.placeholders);
  members.required("value", credential.value);
  members.sparse("expires_ms", credential.expires_ms);
  members.check(!credential.hosts.empty(), "\"hosts\" is empty");
  members.check(!credential.value.empty(), "\"value\" is empty");
}

void describe(Members& members, CredentialList& list) { members.required("credentials", list.credentials); }

}  // namespace sbx::wire
