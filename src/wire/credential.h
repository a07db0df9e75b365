// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/members.h"

namespace sbx::wire {

// One credential of one sandbox, as the daemon tells it to the sandbox's vault and to no other process. A secret that
// needs other fields at other hosts (GitHub: Bearer for the API, Basic for git) is one of these for each.
struct Credential {
  std::string name;                // of the secret or the service, for messages and logs
  std::vector<std::string> hosts;  // exact names, in lower case; requests to them, over TLS only, get it
  std::string header;              // "x-api-key": set when the request brings no credential of its own
  std::string prefix;              // of the field's value: "Bearer "
  std::string basic_user;          // not empty: the value is "Basic " and base64 of basic_user:value
  // Stand for the value in the guest. Replaced wherever they are in a field of a request to one of the hosts, in Basic
  // authorization too. A request to any other host that has one in it is refused.
  std::vector<std::string> placeholders;
  std::string value;            // the secret itself
  std::int64_t expires_ms = 0;  // since the epoch; from then on requests are refused. 0: never

  bool operator==(const Credential&) const = default;
};
struct CredentialList {
  std::vector<Credential> credentials;
};

void describe(Members& members, Credential& credential);
void describe(Members& members, CredentialList& list);

}  // namespace sbx::wire
