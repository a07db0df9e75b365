// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/format.h"
#include "proxy/filters.h"

namespace sbx::proxy {
namespace {

std::string where_it_belongs(const vault::Bindings::Placeholder& placeholder) {
  if (placeholder.hosts.empty()) return "The credential that it stood for is gone.";
  std::string hosts;
  for (const std::string& host : placeholder.hosts) hosts += (hosts.empty() ? "" : ", ") + host;
  return "It is replaced in requests over TLS to: " + hosts;
}

}  // namespace

// A placeholder is not a secret; but a program that sends one elsewhere was led there, or is told wrong.
Refusal check_placeholders(const Question& question, http::RequestHead& head) {
  if (question.bindings == nullptr) return std::nullopt;
  const std::string& host = question.origin.target.host.text();
  const auto* found = question.bindings->misplaced_in(head.fields, host, question.origin.encrypted);
  if (found == nullptr) return std::nullopt;
  return policy::Verdict{
      policy::Decision::kDeny, policy::Reason::kCredential, "<placeholder>",
      sbx::format("The request has the placeholder of a credential in it that is not bound to {}. {}\n"
                  "to see what is bound where, on the host: sandbox secret bindings",
                  host, where_it_belongs(*found))};
}

}  // namespace sbx::proxy
