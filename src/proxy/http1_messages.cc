// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/http1_messages.h"

#include "base/format.h"

namespace sbx::proxy {
namespace {

constexpr std::string_view kHttp = "http://";
constexpr std::string_view kHttps = "https://";

// A scheme may be written in capitals (RFC 9110, 4.2.3).
bool has_scheme(std::string_view target, std::string_view scheme) {
  return http::same_name(target.substr(0, scheme.size()), scheme);
}

Failure bad_message(std::string why) { return fail(Code::kInvalid, std::move(why)); }

Result<policy::Target> parse_authority(std::string_view text, std::optional<std::uint16_t> otherwise) {
  TRY_ASSIGN(const auto split, policy::split_port(text));
  if (!split.port && !otherwise) return bad_message("no port");
  TRY_ASSIGN(auto host, policy::Host::parse(split.host));
  return policy::Target{std::move(host), split.port ? *split.port : *otherwise, policy::Path::kForward};
}

// An absolute URI in two.
struct Uri {
  std::string_view authority;
  std::string path;
};
Uri split_uri(std::string_view rest) {
  const auto end = rest.find_first_of("/?#");
  const std::string_view path = end == std::string_view::npos ? std::string_view() : rest.substr(end);
  return {rest.substr(0, end), (path.starts_with('/') ? "" : "/") + std::string(path)};
}

Result<std::string> host_of(const http::RawRequest& request, std::string_view otherwise) {
  if (const auto host = http::find(request.headers, "Host")) {
    if (host->find('@') != std::string_view::npos) return bad_message("a user in Host");
    return std::string(*host);
  }
  if (!request.is_1_0) return bad_message("no Host");
  return std::string(otherwise);
}

std::string canonical(const policy::Target& target, bool encrypted) {
  const std::uint16_t usual = encrypted ? 443 : 80;
  return target.port == usual ? target.host.text() : target.text();
}

void set(http::Headers& headers, std::string_view name, std::string value) {
  std::erase_if(headers, [name](const auto& header) { return http::same_name(header.first, name); });
  headers.emplace_back(name, std::move(value));
}

bool has_no_body(const http::RawRequest& request, int status) {
  return request.method == "HEAD" || status < 200 || status == 204 || status == 304;
}

bool is_last(const http::Headers& headers, bool is_1_0) {
  return is_1_0 ? !http::has_token(headers, "Connection", "keep-alive")
                : http::has_token(headers, "Connection", "close");
}

}  // namespace

Result<Destination> destination_of(const http::RawRequest& request, const std::optional<Origin>& origin) {
  const std::string& target = request.target;
  if (target.find('#') != std::string::npos) return bad_message("a fragment in the target");
  const bool secure = has_scheme(target, kHttps);
  if (!secure && !has_scheme(target, kHttp)) {
    if (!origin) return bad_message("this is a proxy: it needs an absolute URI, or CONNECT");
    if (!target.starts_with('/') && !(target == "*" && request.method == "OPTIONS")) return bad_message("bad target");
    TRY_ASSIGN(std::string host, host_of(request, canonical(origin->target, origin->encrypted)));
    return Destination{origin->target, std::move(host), std::nullopt, target};
  }
  if (secure && !(origin && origin->encrypted)) return bad_message("https needs CONNECT");
  if (!secure && origin && origin->encrypted) return bad_message("http inside https");
  Uri uri = split_uri(std::string_view(target).substr(secure ? kHttps.size() : kHttp.size()));
  TRY_ASSIGN(std::string host, host_of(request, uri.authority));
  if (uri.authority.find('@') != std::string_view::npos) return bad_message("a user in the target");
  if (origin) return Destination{origin->target, std::move(host), std::string(uri.authority), std::move(uri.path)};
  TRY_ASSIGN(policy::Target where, parse_authority(uri.authority, 80));
  return Destination{std::move(where), std::move(host), std::string(uri.authority), std::move(uri.path)};
}

Result<policy::Target> connect_target(const http::RawRequest& request) {
  TRY_ASSIGN(const auto length, http::body_length(request.headers));
  if (length.chunked || length.bytes.value_or(0) != 0) return bad_message("CONNECT with a body");
  if (request.target.find('@') != std::string::npos) return bad_message("a user in the target");
  TRY_ASSIGN(policy::Target target, parse_authority(request.target, std::nullopt));
  if (const auto host = http::find(request.headers, "Host")) {
    const auto named = parse_authority(*host, target.port);
    if (!named || named->host != target.host) return bad_message("CONNECT and its Host disagree");
  }
  return target;
}

bool wants_websocket(const http::RawRequest& request) {
  return request.method == "GET" && !request.is_1_0 && http::has_token(request.headers, "Connection", "upgrade") &&
         http::has_token(request.headers, "Upgrade", "websocket");
}

http::RawRequest to_server(const http::RawRequest& request, const Destination& destination, bool encrypted) {
  http::RawRequest out{request.method, destination.path, false, {}};
  out.headers.emplace_back("Host", canonical(destination.target, encrypted));
  for (auto& header : http::end_to_end(request.headers))
    if (!http::same_name(header.first, "Host")) out.headers.push_back(std::move(header));
  if (http::find(request.headers, "Transfer-Encoding")) out.headers.emplace_back("Transfer-Encoding", "chunked");
  if (http::has_token(request.headers, "TE", "trailers")) {
    out.headers.emplace_back("TE", "trailers");
    out.headers.emplace_back("Connection", "TE");
  }
  if (wants_websocket(request)) {
    set(out.headers, "Connection", "Upgrade");
    out.headers.emplace_back("Upgrade", "websocket");
  }
  return out;
}

Result<Passage> passage_of(const http::RawRequest& request, const http::RawResponse& response) {
  TRY_ASSIGN(const auto length, http::body_length(response.headers));
  if (length.chunked && response.is_1_0) return bad_message("Transfer-Encoding in HTTP/1.0");
  const bool none = has_no_body(request, response.status);
  const bool by_close = !none && !length.chunked && !length.bytes;
  Passage passage{{response.status, response.reason, false, http::end_to_end(response.headers)},
                  none             ? http::BodyDecoder::none()
                  : length.chunked ? http::BodyDecoder::chunked()
                  : by_close       ? http::BodyDecoder::until_close()
                                   : http::BodyDecoder::of_length(*length.bytes)};
  passage.chunked = !request.is_1_0 && !none && (length.chunked || by_close);
  passage.server_stays = !by_close && !is_last(response.headers, response.is_1_0);
  passage.client_stays = !request.is_1_0 && !is_last(request.headers, false);
  if (passage.chunked) passage.head.headers.emplace_back("Transfer-Encoding", "chunked");
  if (none && request.method == "HEAD" && length.chunked)
    passage.head.headers.emplace_back("Transfer-Encoding", "chunked");
  if (!passage.client_stays) passage.head.headers.emplace_back("Connection", "close");
  return passage;
}

}  // namespace sbx::proxy
