// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/pattern.h"

#include "base/format.h"
#include "base/text.h"

namespace sbx::policy {
namespace {

constexpr std::string_view kEverything = "*";
constexpr std::string_view kBelow = "*.";

Failure bad_pattern(std::string_view text, std::string_view why) {
  return fail(Code::kInvalid, sbx::format("bad host pattern \"{}\": {}", printable(text), why));
}

// What people write in place of a pattern, and what they should write.
Result<> check_mistakes(std::string_view text) {
  if (const auto slash = text.find('/'); slash != std::string_view::npos)
    return bad_pattern(text, Address::parse(text.substr(0, slash))
                                 ? "it is an address range, for --allow-cidr, --block-cidr or --bypass-cidr"
                                 : "it is a URL: write its host, with :PORT if need be");
  if (text.starts_with('.')) return bad_pattern(text, sbx::format("for subdomains write *{}", printable(text)));
  if (text.find('*', 1) != std::string_view::npos) return bad_pattern(text, "a * stands only at its beginning");
  return Ok{};
}

Host ruled(Host host) {
  if (!host.is_local()) return host;
  return *Host::parse(kLocalhost);
}

}  // namespace

Pattern::Pattern(std::optional<Host> host, std::string suffix, std::optional<std::uint16_t> port)
    : host_(std::move(host)), suffix_(std::move(suffix)), port_(port) {}

Pattern Pattern::exactly(const Host& host, std::optional<std::uint16_t> port) { return Pattern(ruled(host), {}, port); }

Result<Pattern> Pattern::parse(std::string_view text) {
  TRY(check_mistakes(text));
  TRY_ASSIGN(const auto split, split_port(text));
  if (split.host == kEverything) return Pattern(std::nullopt, {}, split.port);
  if (!split.host.starts_with('*')) {
    TRY_ASSIGN(auto host, Host::parse(split.host));
    return Pattern(ruled(std::move(host)), {}, split.port);
  }
  if (!split.host.starts_with(kBelow)) return bad_pattern(text, "a dot follows the *, as in *.example.com");
  TRY_ASSIGN(const auto parent, Host::parse(split.host.substr(kBelow.size())));
  if (parent.address()) return bad_pattern(text, "an address has no subdomains");
  return Pattern(std::nullopt, parent.text(), split.port);
}

Result<Pattern> Pattern::parse_endpoint(std::string_view text) {
  TRY_ASSIGN(auto pattern, parse(text));
  if (!pattern.is_exact() || !pattern.port())
    return bad_pattern(text, "write a host and a port, as in imap.example.com:993");
  return pattern;
}

bool Pattern::matches(const Host& host, std::uint16_t port) const {
  if (port_ && *port_ != port) return false;
  if (host_) return host_->ruled_name() == host.ruled_name();
  if (suffix_.empty()) return true;
  const std::string_view name = host.ruled_name();
  return name.size() > suffix_.size() + 1 && name.ends_with(suffix_) && name[name.size() - suffix_.size() - 1] == '.';
}

std::string Pattern::text() const {
  std::string out = host_ ? host_->text() : suffix_.empty() ? std::string(kEverything) : std::string(kBelow) + suffix_;
  if (port_) out += sbx::format(":{}", *port_);
  return out;
}

}  // namespace sbx::policy
