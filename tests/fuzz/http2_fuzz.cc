// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>

#include "base/text.h"
#include "http/raw.h"
#include "proxy/filters.h"
#include "proxy/http2_codec.h"

namespace {

using namespace sbx;

void check(bool holds) {
  if (!holds) std::abort();
}

bool is_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

bool is_value(std::string_view value) {
  return trimmed(value) == value &&
         std::ranges::none_of(value, [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; });
}

// "name=value" lines, as the fields of a head that nghttp2 lets through: names are small letters, pseudo-header fields
// are known ones, in front, each once, and there is none that is about an HTTP/1.1 connection.
std::optional<http::Headers> fields_in(std::string_view text) {
  static const std::set<std::string> kKnown{":method", ":path", ":scheme", ":authority"};
  static const std::set<std::string> kOfConnections{"connection", "keep-alive", "transfer-encoding", "upgrade",
                                                    "proxy-connection"};
  http::Headers fields;
  std::set<std::string> seen;
  for (const std::string& line : split(text, '\n')) {
    const auto equals = line.find('=');
    if (equals == std::string::npos) return std::nullopt;
    const std::string name = line.substr(0, equals);
    const std::string_view word = name.starts_with(':') ? std::string_view(name).substr(1) : std::string_view(name);
    if (kOfConnections.contains(name) || !is_name(word) || !is_value(std::string_view(line).substr(equals + 1)))
      return std::nullopt;
    if (name.starts_with(':')) {
      const bool is_late = fields.size() > seen.size();
      if (is_late || !kKnown.contains(name) || !seen.insert(name).second) return std::nullopt;
    }
    fields.emplace_back(name, line.substr(equals + 1));
  }
  for (const char* name : {":method", ":path", ":scheme"})
    if (!seen.contains(name)) return std::nullopt;
  return fields;
}

void check_written(const http::RequestHead& head, const proxy::RequestOrigin& origin) {
  const http::Headers written = proxy::write(head);
  std::size_t pseudo = 0;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const auto& [name, value] = written[i];
    if (!name.starts_with(':')) {
      check(!http::same_name(name, "Host"));
      continue;
    }
    check(i == pseudo++);  // in front
    if (name == ":authority") check(value == proxy::canonical_host(origin));
  }
  const http::RequestHead again = proxy::read_request(written);
  check(again.method == head.method && again.path == head.path && again.authority == head.authority);
}

}  // namespace

// The head of an HTTP/2 request, through the filters, to origins that are allowed and that are not.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto fields = fields_in(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!fields) return 0;
  policy::Verdict allowed;
  allowed.decision = policy::Decision::kInspect;
  for (const char* target : {"http://good.test", "http://good.test:8080", "http://192.0.2.1", "http://[2001:db8::1]"})
    for (const bool encrypted : {false, true})
      for (const policy::Verdict& standing : {allowed, policy::Verdict{}}) {
        const proxy::RequestOrigin origin{*policy::parse_target(target), encrypted};
        http::RequestHead head = proxy::read_request(*fields);
        const auto refused = proxy::ask_filters(proxy::Question{origin, standing}, head);
        check(standing.allowed() || refused);
        if (!refused) check_written(head, origin);
      }
  return 0;
}
