// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "http/body.h"
#include "proxy/http1_messages.h"

namespace {

using namespace sbx;

void check(bool holds) {
  if (!holds) std::abort();
}

// The body comes out the same whether its bytes come at once or one by one, and so does what is left over.
struct Body {
  std::string data;
  std::string rest;
  bool done = false;
  bool bad = false;
};
Body decode(http::BodyDecoder decoder, std::string_view bytes, std::size_t size) {
  Body body;
  while (!bytes.empty() && !body.bad) {
    body.rest += bytes.substr(0, size);
    bytes.remove_prefix(std::min(size, bytes.size()));
    for (;;) {
      const auto step = decoder.step(body.rest);
      body.bad = !step;
      if (!step || step->consumed == 0) break;
      check(step->consumed <= body.rest.size() && step->data.size() <= step->consumed);
      body.data += step->data;
      body.rest.erase(0, step->consumed);
    }
  }
  body.done = decoder.done();
  return body;
}

void check_body(const http::BodyDecoder& decoder, std::string_view bytes) {
  const Body whole = decode(decoder, bytes, bytes.size() + 1);
  const Body slow = decode(decoder, bytes, 1);
  check(whole.bad == slow.bad && whole.done == slow.done);
  if (!whole.bad) check(whole.data == slow.data && whole.rest == slow.rest);
}

// What leaves for the server is understood there in the same way.
void check_request(const http::RawRequest& request, std::string_view body) {
  const auto length = http::body_length(request.headers);
  check(length.has_value());
  check_body(length->chunked ? http::BodyDecoder::chunked() : http::BodyDecoder::of_length(length->bytes.value_or(0)),
             body);
  (void)proxy::connect_target(request);
  const std::optional<proxy::Origin> origins[] = {
      std::nullopt, proxy::Origin{*policy::parse_target("http://good.test"), false, std::nullopt}};
  for (const auto& origin : origins) {
    const auto destination = proxy::destination_of(request, origin);
    if (!destination) continue;
    const auto again = http::parse_raw_request(http::render(proxy::to_server(request, *destination, false)));
    check(again.has_value() && again->method == request.method && again->target == destination->path);
    check(http::find(again->headers, "Host").has_value() && !http::find(again->headers, "Proxy-Authorization"));
    const auto onward = http::body_length(again->headers);
    check(onward && onward->chunked == length->chunked && onward->bytes == length->bytes);
  }
}

void check_response(const http::RawResponse& response, std::string_view body) {
  for (const char* method : {"GET", "HEAD"}) {
    for (const bool is_1_0 : {false, true}) {
      const auto passage = proxy::passage_of({method, "/", is_1_0, {}}, response);
      if (!passage) continue;
      check(http::parse_raw_response(http::render(passage->head)).has_value());
      check_body(passage->body, body);
    }
  }
}

}  // namespace

// A message of HTTP/1.1 with its body, from either side.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_body(http::BodyDecoder::chunked(), bytes);
  const auto length = http::head_length(bytes);
  if (!length || !*length) return 0;
  const std::string_view head = bytes.substr(0, **length);
  const std::string_view body = bytes.substr(**length);
  if (const auto request = http::parse_raw_request(head)) check_request(*request, body);
  if (const auto response = http::parse_raw_response(head)) check_response(*response, body);
  return 0;
}
