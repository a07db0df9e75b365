// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "http/body.h"
#include "proxy/http1_codec.h"

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

// What is written is read in the same way, and so is where it ends. chain_fuzz.cc has the filters between.
void check_request(proxy::Http1Request request, std::string_view body) {
  check_body(
      request.chunked ? http::BodyDecoder::chunked() : http::BodyDecoder::of_length(request.head.length.value_or(0)),
      body);
  (void)proxy::connect_target(request);
  (void)proxy::uri_target(request.head);
  std::erase_if(request.head.fields, [](const auto& field) { return http::same_name(field.first, "TE"); });
  request.head.takes_trailers = request.head.wants_websocket = false;
  if (request.head.fields.size() > http::kMostHeaders - 4) return;  // ours come on top
  const auto again = proxy::read_request(proxy::write(request));
  check(again && again->head.method == request.head.method && again->head.path == request.head.path);
  check(again->head.authority == request.head.authority.value_or("") && again->head.fields == request.head.fields);
  check(again->chunked == request.chunked && again->head.length == request.head.length);
}

void check_response(std::string_view head, std::string_view body) {
  for (const char* method : {"GET", "HEAD"}) {
    for (const bool is_1_0 : {false, true}) {
      proxy::Http1Request request;
      request.head.method = method;
      request.is_1_0 = request.is_last = is_1_0;
      const auto response = proxy::read_response(request, head);
      if (!response) continue;
      check(proxy::read_response(request, proxy::write(*response)).has_value());
      check_body(response->body, body);
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
  if (auto request = proxy::read_request(head)) check_request(std::move(*request), body);
  check_response(head, body);
  return 0;
}
