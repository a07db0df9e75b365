// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "http/raw.h"
#include "proxy/filters.h"
#include "proxy/http1_codec.h"
#include "proxy/http2_codec.h"

namespace {

using namespace sbx;

void check(bool holds) {
  if (!holds) std::abort();
}

bool is_for_one_hop(std::string_view name) {
  const auto is = [name](std::string_view other) { return http::same_name(name, other); };
  return is("Connection") || is("Keep-Alive") || is("TE") || is("Transfer-Encoding") || is("Upgrade") ||
         http::same_name(name.substr(0, 6), "Proxy-");
}

bool names_a_host_or_an_end(std::string_view name) {
  return http::same_name(name, "Host") || http::same_name(name, "Content-Length") || name.starts_with(':');
}

// The same request in the other version.
http::Headers as_http2(const http::RequestHead& head, bool encrypted) {
  http::Headers fields = {{":method", head.method}, {":path", head.path}};
  fields.emplace_back(":scheme", head.scheme.empty() ? (encrypted ? "https" : "http") : head.scheme);
  if (head.authority) fields.emplace_back(":authority", *head.authority);
  if (head.second_authority) fields.emplace_back("host", *head.second_authority);
  return fields;
}

// Whatever leaves is for the origin, and says so in one place; nothing in it is about this hop.
void check_passed(const http::RequestHead& before, const http::RequestHead& after, const proxy::RequestOrigin& origin) {
  check(after.authority == proxy::canonical_host(origin) && !after.second_authority);
  check(after.method == before.method && after.path == before.path && after.length == before.length);
  check(after.method != "CONNECT" && after.path.find('#') == std::string::npos);
  for (const auto& [name, value] : after.fields) check(!is_for_one_hop(name) && !names_a_host_or_an_end(name));
}

// The bytes that a server reads say what was decided on, and end where the client's did.
void check_bytes(const proxy::Http1Request& passed, const proxy::RequestOrigin& origin) {
  if (passed.head.fields.size() > http::kMostHeaders - 4) return;  // ours come on top
  const auto read = http::parse_raw_request(proxy::write(passed));
  check(read && read->method == passed.head.method && read->target == passed.head.path);
  check(http::find(read->headers, "Host") == proxy::canonical_host(origin));
  const auto length = http::body_length(read->headers);
  check(length && length->chunked == passed.chunked && length->bytes == passed.head.length);
  const bool upgrades = http::has_token(read->headers, "Connection", "upgrade");
  check(upgrades == passed.head.wants_websocket);
}

void check_chain(const proxy::Http1Request& request, const proxy::RequestOrigin& origin,
                 const policy::Verdict& standing) {
  const proxy::Question question{origin, standing};
  proxy::Http1Request passed = request;
  const auto refused = proxy::ask_filters(question, passed.head);
  check(standing.allowed() || refused);
  if (!refused) {
    check_passed(request.head, passed.head, origin);
    check_bytes(passed, origin);
    proxy::Http1Request again = passed;
    check(!proxy::ask_filters(question, again.head) && again.head.fields == passed.head.fields);
  }
  if (!request.head.authority) return;  // which HTTP/2 always has
  http::RequestHead same = proxy::read_request(as_http2(request.head, origin.encrypted));
  const auto also = proxy::ask_filters(question, same);
  check(refused.has_value() == also.has_value());
  if (refused) check(refused->rule == also->rule && refused->detail == also->detail);
}

}  // namespace

// The head of a request, through the filters, to origins that are allowed and that are not.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto request = proxy::read_request(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!request) return 0;
  policy::Verdict allowed;
  allowed.decision = policy::Decision::kInspect;
  for (const char* target : {"http://good.test", "http://good.test:8080", "http://192.0.2.1", "http://[2001:db8::1]"})
    for (const bool encrypted : {false, true})
      for (const policy::Verdict& standing : {allowed, policy::Verdict{}})
        check_chain(*request, {*policy::parse_target(target), encrypted}, standing);
  return 0;
}
