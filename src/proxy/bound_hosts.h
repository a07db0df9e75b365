// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "proxy/outside.h"
#include "vault/bindings.h"

namespace sbx::proxy {

// The hosts whose requests get a credential, and the way to them: the vault, which has the credentials, and dials and
// speaks TLS itself. The proxy has neither.
class BoundHosts {
 public:
  virtual ~BoundHosts() = default;

  virtual const vault::Bindings& bindings() const = 0;
  // As Outside::dial(), but the socket that is reached leads to the vault: see BoundStream.
  virtual Outside::Ticket dial(const policy::Target& target, Outside::OnDialed done) = 0;
  virtual void cancel(Outside::Ticket ticket) = 0;
};

}  // namespace sbx::proxy
