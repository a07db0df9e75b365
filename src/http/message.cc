// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "http/message.h"

#include <array>

#include "base/format.h"

namespace sbx::http {
namespace {

bool unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

std::string encode_all_but(std::string_view text, char kept) {
  std::string out;
  for (const char c : text) {
    if (unreserved(c) || c == kept)
      out += c;
    else
      out += sbx::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string target_of(const Request& request) {
  std::string target;
  for (const auto& segment : request.segments) target += "/" + percent_encode(segment);
  if (target.empty()) target = encode_all_but(request.path, '/');
  char separator = '?';
  for (const auto& [key, value] : request.query) {
    target += separator + percent_encode(key) + "=" + percent_encode(value);
    separator = '&';
  }
  return target;
}

std::string render_headers(const Headers& headers) {
  std::string out;
  for (const auto& [name, value] : headers) out += name + ": " + value + "\r\n";
  return out;
}

bool has_no_length(const Response& response) {
  const bool until_close = response.header("Connection").value_or("") == "close" && response.body.empty();
  return response.status < 200 || response.status == 204 || until_close || response.header("Transfer-Encoding") ||
         response.header("Content-Length");
}

struct Reason {
  int status;
  std::string_view text;
};

constexpr std::array kReasons{
    Reason{101, "Switching Protocols"},
    Reason{200, "OK"},
    Reason{201, "Created"},
    Reason{202, "Accepted"},
    Reason{204, "No Content"},
    Reason{400, "Bad Request"},
    Reason{403, "Forbidden"},
    Reason{404, "Not Found"},
    Reason{405, "Method Not Allowed"},
    Reason{408, "Request Timeout"},
    Reason{409, "Conflict"},
    Reason{411, "Length Required"},
    Reason{413, "Content Too Large"},
    Reason{426, "Upgrade Required"},
    Reason{417, "Expectation Failed"},
    Reason{421, "Misdirected Request"},
    Reason{431, "Request Header Fields Too Large"},
    Reason{500, "Internal Server Error"},
    Reason{502, "Bad Gateway"},
    Reason{503, "Service Unavailable"},
    Reason{501, "Not Implemented"},
    Reason{504, "Gateway Timeout"},
};

}  // namespace

std::optional<std::string_view> Request::header(std::string_view name) const { return find(headers, name); }
std::optional<std::string_view> Response::header(std::string_view name) const { return find(headers, name); }

std::optional<std::string> Request::parameter(std::string_view name) const {
  for (const auto& [key, value] : query)
    if (key == name) return value;
  return std::nullopt;
}

std::string render(const Request& request) {
  std::string out = request.method + " " + target_of(request) + " HTTP/1.1\r\n" + render_headers(request.headers);
  if (!request.body.empty() && !request.header("Content-Length"))
    out += sbx::format("Content-Length: {}\r\n", request.body.size());
  return out + "\r\n" + request.body;
}

std::string render(const Response& response) {
  std::string out = sbx::format("HTTP/1.1 {} {}\r\n", response.status, reason(response.status));
  out += render_headers(response.headers);
  if (!has_no_length(response)) out += sbx::format("Content-Length: {}\r\n", response.body.size());
  return out + "\r\n" + response.body;
}

std::string percent_encode(std::string_view text) { return encode_all_but(text, '-'); }

std::string_view reason(int status) {
  for (const Reason& known : kReasons)
    if (known.status == status) return known.text;
  return "Unknown";
}

}  // namespace sbx::http
