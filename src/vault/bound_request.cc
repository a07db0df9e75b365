// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/bound_request.h"

#include <algorithm>
#include <array>

#include "base/packing.h"

namespace sbx::vault {
namespace {

enum class Body : std::uint8_t { kNone, kLength, kChunked };

// Where a message goes, where it ends, and what is for one hop only.
constexpr std::array<std::string_view, 8> kOurs = {
    "Host", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Upgrade", "TE", "Trailer"};
constexpr std::string_view kProxys = "Proxy-";

Failure unfit(const char* why) { return fail(Code::kInvalid, std::string("a request to the vault: ") + why); }

bool is_ours(std::string_view name) {
  return http::same_name(name.substr(0, kProxys.size()), kProxys) ||
         std::ranges::any_of(kOurs, [name](std::string_view each) { return http::same_name(name, each); });
}

bool is_clean(std::string_view value) {
  return std::ranges::none_of(value, [](char c) { return http::is_control(c) && c != '\t'; });
}

bool is_target(std::string_view target, std::string_view method) {
  const bool plain = std::ranges::none_of(target, [](char c) { return http::is_control(c) || c == ' ' || c == '#'; });
  return plain && (target.starts_with('/') || (target == "*" && method == "OPTIONS"));
}

// TRACE would have the server send back what it got.
bool is_method(std::string_view method) { return http::is_token(method) && method != "CONNECT" && method != "TRACE"; }

Result<> check(const BoundRequest& request) {
  if (!is_method(request.method)) return unfit("its method");
  if (!is_target(request.target, request.method)) return unfit("its target");
  if (request.fields.size() > http::kMostHeaders) return unfit("too many fields");
  for (const auto& [name, value] : request.fields) {
    if (!http::is_token(name) || is_ours(name)) return unfit("the name of a field");
    if (!is_clean(value)) return unfit("the value of a field");
  }
  if (request.websocket && (request.length.value_or(0) != 0 || request.chunked || request.method != "GET"))
    return unfit("an upgrade with a body");
  return Ok{};
}

Body body_of(const BoundRequest& request) {
  if (request.chunked) return Body::kChunked;
  return request.length ? Body::kLength : Body::kNone;
}

void add(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

std::size_t size_of(const BoundRequest& request) {
  std::size_t size = 512 + request.method.size() + request.target.size();
  for (const auto& [name, value] : request.fields) size += name.size() + value.size() + 4;
  return size;
}

}  // namespace

std::string encode(const BoundRequest& request) {
  Packer packer(size_of(request));
  packer.bytes(request.method);
  packer.bytes(request.target);
  packer.number(body_of(request));
  packer.number(request.length.value_or(0));
  packer.number(static_cast<std::uint8_t>(request.websocket));
  packer.number(static_cast<std::uint32_t>(request.fields.size()));
  for (const auto& [name, value] : request.fields) {
    packer.bytes(name);
    packer.bytes(value);
  }
  return packer.take();
}

Result<BoundRequest> decode_request(std::string_view bytes) {
  Unpacker from(bytes);
  BoundRequest request;
  request.method = from.bytes();
  request.target = from.bytes();
  const Body body = from.one_of(Body::kChunked);
  const auto length = from.number<std::uint64_t>();
  if (body == Body::kLength) request.length = length;
  request.chunked = body == Body::kChunked;
  request.websocket = from.boolean();
  for (auto left = from.number<std::uint32_t>(); left > 0 && from.good(); --left) {
    std::string name(from.bytes());
    request.fields.emplace_back(std::move(name), from.bytes());
  }
  if (!from.whole()) return unfit("it is cut off");
  TRY(check(request));
  return request;
}

std::string write(const BoundRequest& request, std::string_view host) {
  std::string out;
  out.reserve(size_of(request) + host.size());  // it has a secret in it, and growing would leave copies behind
  out.append(request.method).append(" ").append(request.target).append(" HTTP/1.1\r\n");
  add(out, "Host", host);
  for (const auto& [name, value] : request.fields) add(out, name, value);
  if (request.chunked)
    add(out, "Transfer-Encoding", "chunked");
  else if (request.length)
    add(out, "Content-Length", std::to_string(*request.length));
  if (request.websocket) {
    add(out, "Connection", "Upgrade");
    add(out, "Upgrade", "websocket");
  }
  return out.append("\r\n");
}

}  // namespace sbx::vault
