// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "policy/policy.h"

namespace sbx::proxy {

// What the requests of a connection are for, where it is known before they come.
struct RequestOrigin {
  policy::Target target;
  bool encrypted = false;                       // inside TLS
  std::optional<std::string> server_name = {};  // of the ClientHello, as sent
};

// One way of serving a connection, from some point on to its end.
class ProxySession {
 public:
  // It may be destroyed, but not from inside the call.
  using OnDone = std::function<void()>;

  virtual ~ProxySession() = default;
  // Whether it does something that this policy, which is new, does not allow.
  virtual bool offends(const policy::Policy& policy) const = 0;
};

}  // namespace sbx::proxy
