// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/http1_codec.h"

#include <algorithm>

#include "http/raw.h"

namespace sbx::proxy {
namespace {

Failure bad_message(std::string why) { return fail(Code::kInvalid, std::move(why)); }

bool is_about_framing(std::string_view name) {
  return http::same_name(name, "Content-Length") || http::same_name(name, "Transfer-Encoding");
}

// parse_headers() has seen that there is at most one.
std::optional<std::string> take_host(http::Headers& fields) {
  const auto host =
      std::ranges::find_if(fields, [](const auto& field) { return http::same_name(field.first, "Host"); });
  if (host == fields.end()) return std::nullopt;
  std::string value = std::move(host->second);
  fields.erase(host);
  return value;
}

// http://good.test/a is /a at good.test. A scheme may be written in capitals (RFC 9110, 4.2.3).
void split_uri(http::RequestHead& head) {
  for (const std::string_view prefix : {"http://", "https://"}) {
    if (!http::same_name(std::string_view(head.path).substr(0, prefix.size()), prefix)) continue;
    const std::string rest = head.path.substr(prefix.size());
    const auto end = std::min(rest.find_first_of("/?#"), rest.size());
    head.scheme = prefix.substr(0, prefix.find(':'));
    head.second_authority = rest.substr(0, end);
    head.path = (rest.substr(end, 1) == "/" ? "" : "/") + rest.substr(end);
    return;
  }
}

bool wants_websocket(const http::RawRequest& request) {
  return request.method == "GET" && !request.is_1_0 && http::has_token(request.headers, "Connection", "upgrade") &&
         http::has_token(request.headers, "Upgrade", "websocket");
}

Result<policy::Target> parse_authority(std::string_view text, std::optional<std::uint16_t> otherwise) {
  if (text.find('@') != std::string_view::npos) return bad_message("a user in the target");
  TRY_ASSIGN(const auto split, policy::split_port(text));
  if (!split.port && !otherwise) return bad_message("no port");
  TRY_ASSIGN(auto host, policy::Host::parse(split.host));
  return policy::Target{std::move(host), split.port ? *split.port : *otherwise, policy::Path::kForward};
}

bool has_no_body(const Http1Request& request, int status) {
  return request.head.method == "HEAD" || status < 200 || status == 204 || status == 304;
}

bool is_last(const http::RawResponse& response) {
  return response.is_1_0 ? !http::has_token(response.headers, "Connection", "keep-alive")
                         : http::has_token(response.headers, "Connection", "close");
}

void add(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

void add(std::string& out, const http::Headers& fields, const std::optional<std::size_t>& length, bool chunked) {
  for (const auto& [name, value] : fields) add(out, name, value);
  if (length) add(out, "Content-Length", std::to_string(*length));
  if (chunked) add(out, "Transfer-Encoding", "chunked");
}

void add_websocket(std::string& out) {
  add(out, "Connection", "Upgrade");
  add(out, "Upgrade", "websocket");
}

}  // namespace

Result<Http1Request> read_request(std::string_view bytes) {
  TRY_ASSIGN(http::RawRequest raw, http::parse_raw_request(bytes));
  TRY_ASSIGN(const auto length, http::body_length(raw.headers));
  Http1Request request;
  request.chunked = length.chunked;
  request.is_1_0 = raw.is_1_0;
  request.is_last = raw.is_1_0 || http::has_token(raw.headers, "Connection", "close");
  http::RequestHead& head = request.head;
  head.length = length.bytes;
  head.takes_trailers = http::has_token(raw.headers, "TE", "trailers");
  head.wants_websocket = wants_websocket(raw);
  head.method = std::move(raw.method);
  head.path = std::move(raw.target);
  if (head.method != "CONNECT") split_uri(head);
  head.fields = std::move(raw.headers);
  head.authority = take_host(head.fields);
  std::erase_if(head.fields, [](const auto& field) { return is_about_framing(field.first); });
  return request;
}

std::string write(const Http1Request& request) {
  const http::RequestHead& head = request.head;
  std::string out = head.method + " " + head.path + " HTTP/1.1\r\n";
  add(out, "Host", head.authority.value_or(std::string()));
  add(out, head.fields, head.length, request.chunked);
  if (head.takes_trailers) add(out, "TE", "trailers");
  if (head.wants_websocket)
    add_websocket(out);
  else if (head.takes_trailers)
    add(out, "Connection", "TE");
  return out.append("\r\n");
}

Result<policy::Target> connect_target(const Http1Request& request) {
  if (request.chunked || request.head.length.value_or(0) != 0) return bad_message("CONNECT with a body");
  TRY_ASSIGN(policy::Target target, parse_authority(request.head.path, std::nullopt));
  if (request.head.authority) {
    const auto named = parse_authority(*request.head.authority, target.port);
    if (!named || named->host != target.host) return bad_message("CONNECT and its Host disagree");
  }
  return target;
}

Result<policy::Target> uri_target(const http::RequestHead& head) {
  if (!head.second_authority) return bad_message("this is a proxy: it needs an absolute URI, or CONNECT");
  if (head.scheme != "http") return bad_message("https needs CONNECT");
  return parse_authority(*head.second_authority, policy::kHttpPort);
}

Result<Http1Response> read_response(const Http1Request& request, std::string_view bytes) {
  TRY_ASSIGN(http::RawResponse raw, http::parse_raw_response(bytes));
  TRY_ASSIGN(const auto length, http::body_length(raw.headers));
  if (length.chunked && raw.is_1_0) return bad_message("Transfer-Encoding in HTTP/1.0");
  const bool none = has_no_body(request, raw.status);
  const bool by_close = !none && !length.chunked && !length.bytes;
  Http1Response response{{raw.status, length.bytes, {}},
                         std::move(raw.reason),
                         none             ? http::BodyDecoder::none()
                         : length.chunked ? http::BodyDecoder::chunked()
                         : by_close       ? http::BodyDecoder::until_close()
                                          : http::BodyDecoder::of_length(*length.bytes)};
  response.chunked = !request.is_1_0 && !none && (length.chunked || by_close);
  response.says_chunked = response.chunked || (request.head.method == "HEAD" && length.chunked);
  response.is_interim = raw.status < 200;
  response.server_stays = !by_close && !is_last(raw);
  response.client_stays = !request.is_last;
  response.head.fields = std::move(raw.headers);
  std::erase_if(response.head.fields, [](const auto& field) { return is_about_framing(field.first); });
  return response;
}

std::string write(const Http1Response& response) {
  const int status = response.head.status;
  std::string out = "HTTP/1.1 " + std::to_string(status) + " " + response.reason + "\r\n";
  add(out, response.head.fields, response.head.length, response.says_chunked);
  if (status == 101) add_websocket(out);
  if (!response.is_interim && !response.client_stays) add(out, "Connection", "close");
  return out.append("\r\n");
}

}  // namespace sbx::proxy
