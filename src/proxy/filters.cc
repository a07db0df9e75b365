// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/filters.h"

namespace sbx::proxy {
namespace {

constexpr RequestFilter kRequestFilters[] = {
    {"well-formed", check_form},
    {"names agree", check_names},
    {"policy", check_policy},
    {"hop-by-hop fields", drop_hop_by_hop},
    {"placeholders", check_placeholders},  // of what is sent on
    {"canonical host", set_canonical_host},
};

}  // namespace

std::span<const RequestFilter> request_filters() { return kRequestFilters; }

Refusal ask_filters(const Question& question, http::RequestHead& head) {
  for (const RequestFilter& filter : kRequestFilters)
    if (Refusal refusal = filter.ask(question, head)) return refusal;
  return std::nullopt;
}

void filter(http::ResponseHead& head) { drop_hop_by_hop(head.fields); }

}  // namespace sbx::proxy
