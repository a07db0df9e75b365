// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "http/head.h"
#include "policy/verdict.h"
#include "proxy/session.h"
#include "vault/bindings.h"

// What is decided on each request, and changed in it, whichever version of HTTP it came in. A filter answers, or
// changes the head and lets it go on. It never sends, dials or waits. A new one is a file and a line in the table.
namespace sbx::proxy {

// What a filter may know besides the head.
struct Question {
  const RequestOrigin& origin;                // where the request goes
  const policy::Verdict& standing;            // what the policy says of it (standing.h)
  const vault::Bindings* bindings = nullptr;  // of credentials; null: there are none
};

using Refusal = std::optional<policy::Verdict>;

struct RequestFilter {
  std::string_view name;
  Refusal (*ask)(const Question& question, http::RequestHead& head);
};
// In the order in which they are asked: what is malformed is not asked about, and the host is set last.
std::span<const RequestFilter> request_filters();

// Asks them one after the other, until one refuses.
Refusal ask_filters(const Question& question, http::RequestHead& head);

// A response only loses what is for one hop.
void filter(http::ResponseHead& head);

// The filters, each in a file of its own: check_form.cc, ..., hop_by_hop.cc, canonical_host.cc.
Refusal check_form(const Question& question, http::RequestHead& head);    // no user, no fragment, the same scheme
Refusal check_names(const Question& question, http::RequestHead& head);   // it is for the origin, wherever it says so
Refusal check_policy(const Question& question, http::RequestHead& head);  // the origin is allowed
Refusal check_placeholders(const Question& question, http::RequestHead& head);  // only where they are replaced
Refusal drop_hop_by_hop(const Question& question, http::RequestHead& head);     // Connection and what it names, Proxy-*
Refusal set_canonical_host(const Question& question, http::RequestHead& head);

// Fields that are for the next hop only (RFC 9110, 7.6.1): Connection and what it names, Keep-Alive, TE,
// Transfer-Encoding, Upgrade, and all that begin with Proxy-.
void drop_hop_by_hop(http::Headers& fields);

// The origin as a server knows itself: without the port where it is the scheme's own.
std::string canonical_host(const RequestOrigin& origin);

}  // namespace sbx::proxy
