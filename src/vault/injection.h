// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vault/bound_request.h"
#include "wire/credential_file.h"

// What a request to a bound host gets: the rule, without a connection. Pure.
//
//   1. Each placeholder of a credential, in any field and in Basic authorization, becomes its value.
//   2. Where there is none, and the request brings no credential of its own, the first credential that has a field sets
//      it.
//
// A request that brings a real credential keeps it.
namespace sbx::vault {

struct Injected {
  std::string credential;            // its name; empty: the request keeps what it has
  std::vector<std::string> secrets;  // as they are in the head: the value, or base64 with the value in it
};
// It gets no credential and must not be sent.
struct NotInjected {
  std::string credential;
  std::string why;  // for a person, with the command that helps
};

// `credentials`: those of the host, in their order. Changes the request's fields.
std::variant<Injected, NotInjected> inject(BoundRequest& request,
                                           std::span<const wire::CredentialView* const> credentials,
                                           std::int64_t now_ms);

bool has_expired(const wire::CredentialView& credential, std::int64_t now_ms);
NotInjected expired(std::string_view credential);
NotInjected removed(std::string_view credential);

}  // namespace sbx::vault
