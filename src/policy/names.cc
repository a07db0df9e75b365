// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/names.h"

#include "base/format.h"
#include "base/text.h"

namespace sbx::policy {
namespace {

constexpr std::string_view kNamesAgree = "<names agree>";  // in the place of a rule's text

Verdict disagreement(std::string_view what, std::string_view said, const Target& target) {
  return {Decision::kDeny, Reason::kNamesDisagree, std::string(kNamesAgree),
          sbx::format("{} is \"{}\", the connection is to {}", what, printable(said), target.text())};
}

bool is_for(const Target& target, bool encrypted, std::string_view authority) {
  const auto split = split_port(authority);
  if (!split || split->port.value_or(encrypted ? kHttpsPort : kHttpPort) != target.port) return false;
  const auto host = Host::parse(split->host);
  return host && *host == target.host;
}

}  // namespace

std::optional<Verdict> refused_server_name(const Target& target, std::optional<std::string_view> server_name) {
  if (!server_name) {
    if (target.host.address()) return std::nullopt;
    return Verdict{Decision::kDeny, Reason::kNoServerName, std::string(kNamesAgree), {}};
  }
  const auto host = Host::parse(*server_name);
  if (!host || *host != target.host) return disagreement("the TLS server name", *server_name, target);
  return std::nullopt;
}

std::optional<Verdict> refused_authority(const Target& target, bool encrypted, std::string_view authority) {
  if (is_for(target, encrypted, authority)) return std::nullopt;
  return disagreement("its Host", authority, target);
}

}  // namespace sbx::policy
