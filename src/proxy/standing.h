// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "policy/policy.h"
#include "proxy/session.h"

namespace sbx::proxy {

// What the policy says of an origin: asked once, and again only when there is another policy, not for each request.
class Standing {
 public:
  explicit Standing(RequestOrigin origin) : origin_(std::move(origin)) {}

  const RequestOrigin& origin() const { return origin_; }
  // `policy` is the one that holds now. Valid until the next call.
  const policy::Verdict& under(const std::shared_ptr<const policy::Policy>& policy);

 private:
  RequestOrigin origin_;
  std::shared_ptr<const policy::Policy> asked_;  // held, so that no other policy can have its address
  policy::Verdict verdict_;
};

}  // namespace sbx::proxy
