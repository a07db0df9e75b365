// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/filters.h"

namespace sbx::proxy {
namespace {

bool has_user(const std::optional<std::string>& authority) {
  return authority && authority->find('@') != std::string::npos;
}

bool is_path(const http::RequestHead& head) {
  return head.path.starts_with('/') || (head.path == "*" && head.method == "OPTIONS");
}

// Empty: none.
std::string_view fault_in(const http::RequestHead& head, bool encrypted) {
  if (head.method == "CONNECT") return "CONNECT inside a connection";
  if (!head.scheme.empty() && head.scheme != (encrypted ? "https" : "http"))
    return "another scheme than the connection's";
  if (head.path.find('#') != std::string::npos) return "a fragment in the target";
  if (!is_path(head)) return "bad target";
  if (!head.authority) return "no Host";
  if (has_user(head.authority) || has_user(head.second_authority)) return "a user in the authority";
  return {};
}

}  // namespace

Refusal check_form(const Question& question, http::RequestHead& head) {
  const std::string_view fault = fault_in(head, question.origin.encrypted);
  return fault.empty() ? std::nullopt : Refusal(policy::malformed(std::string(fault)));
}

}  // namespace sbx::proxy
