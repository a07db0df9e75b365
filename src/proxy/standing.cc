// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/standing.h"

namespace sbx::proxy {

const policy::Verdict& Standing::under(const std::shared_ptr<const policy::Policy>& policy) {
  if (asked_ == policy) return verdict_;
  verdict_ =
      origin_.encrypted ? policy->at_hello(origin_.target, origin_.server_name) : policy->at_connect(origin_.target);
  asked_ = policy;
  return verdict_;
}

}  // namespace sbx::proxy
