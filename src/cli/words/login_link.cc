// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/login_link.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "wire/session.h"

namespace sbx::cli {
namespace {

constexpr std::uint16_t kFirstOpenPort = 1024;
constexpr std::array<std::string_view, 3> kParameters{"redirect_uri=", "redirect_url=", "callback="};
constexpr std::array<std::string_view, 3> kLoopbacks{"http://localhost:", "http://127.0.0.1:", "http://[::1]:"};

// RFC 3986 has no others; a quote or a backslash would end a word where it is pasted into a shell.
bool is_of_address(unsigned char c) {
  return c > 0x20 && c < 0x7f && std::string_view("\"'<>\\^`{|}").find(static_cast<char>(c)) == std::string_view::npos;
}

std::optional<int> digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto high = text[i] == '%' && i + 2 < text.size() ? digit_of(text[i + 1]) : std::nullopt;
    const auto low = high ? digit_of(text[i + 2]) : std::nullopt;
    out += low ? static_cast<char>(*high * 16 + *low) : text[i];
    if (low) i += 2;
  }
  return out;
}

std::uint16_t port_in(std::string_view address) {
  for (const std::string_view loopback : kLoopbacks) {
    if (!address.starts_with(loopback)) continue;
    const std::string_view rest = address.substr(loopback.size());
    const auto port = parse_integer(rest.substr(0, rest.find_first_of("/?#")));
    if (port && *port >= kFirstOpenPort && *port <= 65535) return static_cast<std::uint16_t>(*port);
  }
  return 0;
}

std::uint16_t callback_port(std::string_view address) {
  const auto question = address.find('?');
  if (question == std::string_view::npos) return 0;
  const std::string_view query = address.substr(question + 1);
  for (const std::string& part : split(query.substr(0, query.find('#')), '&'))
    for (const std::string_view name : kParameters)
      if (part.starts_with(name)) return port_in(decoded(std::string_view(part).substr(name.size())));
  return 0;
}

}  // namespace

std::optional<LoginLink> parse_login_link(std::string_view address) {
  if (!address.starts_with("https://") && !address.starts_with("http://")) return std::nullopt;
  if (address.size() > wire::kLongestLink || !std::ranges::all_of(address, is_of_address)) return std::nullopt;
  return LoginLink{std::string(address), callback_port(address)};
}

}  // namespace sbx::cli
