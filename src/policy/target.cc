// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/target.h"

#include "base/format.h"
#include "base/text.h"

namespace sbx::policy {
namespace {

struct Scheme {
  std::string_view name;
  std::uint16_t port;
};

constexpr Scheme kSchemes[] = {{"http", kHttpPort}, {"https", kHttpsPort}, {"ws", kHttpPort}, {"wss", kHttpsPort}};

Result<std::uint16_t> port_of_scheme(std::string_view name) {
  for (const Scheme& scheme : kSchemes)
    if (scheme.name == name) return scheme.port;
  return fail(Code::kInvalid, sbx::format("no scheme \"{}\": there are http, https, ws and wss", printable(name)));
}

}  // namespace

std::string_view to_string(Path path) { return path == Path::kForward ? "forward" : "transparent"; }

std::string Target::text() const { return sbx::format("{}:{}", host.text(), port); }

Result<Target> parse_target(std::string_view text) {
  std::uint16_t port = kHttpsPort;
  if (const auto scheme = text.find("://"); scheme != std::string_view::npos) {
    TRY_ASSIGN(port, port_of_scheme(text.substr(0, scheme)));
    text.remove_prefix(scheme + 3);
    text = text.substr(0, text.find_first_of("/?#"));
  }
  TRY_ASSIGN(const auto split, split_port(text));
  TRY_ASSIGN(auto host, Host::parse(split.host));
  return Target{std::move(host), split.port.value_or(port)};
}

}  // namespace sbx::policy
