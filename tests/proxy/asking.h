// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "proxy/filters.h"

namespace sbx::testing {

// A request for /, to good.test: what each test of a filter begins with.
inline http::RequestHead good_head() {
  http::RequestHead head;
  head.method = "GET";
  head.path = "/";
  head.authority = "good.test";
  return head;
}

// What a filter says of a head, and the head after it.
struct Asking {
  proxy::RequestOrigin origin{*policy::parse_target("http://good.test")};
  policy::Verdict standing{policy::Decision::kInspect, policy::Reason::kDefault, "<default policy>", {}};
  http::RequestHead head = good_head();

  // The rule by which it is refused; empty: it is not.
  std::string refused_by(decltype(proxy::RequestFilter::ask) filter) {
    const proxy::Refusal refusal = filter({origin, standing}, head);
    return refusal ? refusal->rule : std::string();
  }
};

}  // namespace sbx::testing
