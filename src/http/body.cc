// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "http/body.h"

#include <algorithm>
#include <charconv>

#include "base/format.h"

namespace sbx::http {
namespace {

constexpr std::size_t kLongestSizeLine = 256;
constexpr std::size_t kMostDigits = 15;  // no overflow
// What says where a message ends or goes, or who asks.
constexpr std::string_view kNotTrailers[] = {"Content-Length",      "Transfer-Encoding", "Host", "Trailer",
                                             "Connection",          "Upgrade",           "TE",   "Authorization",
                                             "Proxy-Authorization", "Proxy-Connection"};

Failure bad(std::string why) { return fail(Code::kInvalid, "HTTP body: " + std::move(why)); }

}  // namespace

Result<BodyDecoder::Step> BodyDecoder::step(std::string_view bytes) {
  if (bytes.empty()) return Step{};
  switch (form_) {
    case Form::kLength:
      return data(bytes, Form::kDone);
    case Form::kChunkData:
      return data(bytes, Form::kChunkEnd);
    case Form::kUntilClose:
      return Step{bytes.size(), bytes};
    case Form::kChunkSize:
      return chunk_size(bytes);
    case Form::kChunkEnd:
      return chunk_end(bytes);
    case Form::kTrailers:
      return trailer_lines(bytes);
    case Form::kDone:
      break;
  }
  return Step{};
}

BodyDecoder::Step BodyDecoder::data(std::string_view bytes, Form after) {
  bytes = bytes.substr(0, left_);
  left_ -= bytes.size();
  if (left_ == 0) form_ = after;
  return {bytes.size(), bytes};
}

Result<BodyDecoder::Step> BodyDecoder::chunk_size(std::string_view bytes) {
  const auto end = bytes.find_first_of("\r\n");
  if (end == std::string_view::npos || end + 1 == bytes.size()) {
    if (bytes.size() > kLongestSizeLine) return bad("a chunk's size line is too long");
    return Step{};
  }
  if (bytes.substr(end, 2) != "\r\n" || end > kLongestSizeLine) return bad("a chunk's size line does not end in CRLF");
  const std::string_view line = bytes.substr(0, end);
  const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), left_, 16);
  const auto digits = static_cast<std::size_t>(stop - line.data());
  const bool extended = digits < line.size() && line[digits] == ';';
  if (error != std::errc() || digits > kMostDigits || (digits != line.size() && !extended))
    return bad("a chunk's size is not a number");
  if (std::ranges::any_of(line.substr(digits), [](char c) { return is_control(c) && c != '\t'; }))
    return bad("a control character in a chunk's extension");
  form_ = left_ == 0 ? Form::kTrailers : Form::kChunkData;
  return Step{end + 2, {}};
}

Result<BodyDecoder::Step> BodyDecoder::chunk_end(std::string_view bytes) {
  if (!std::string_view("\r\n").starts_with(bytes.substr(0, 2))) return bad("a chunk is longer than it says");
  if (bytes.size() < 2) return Step{};
  form_ = Form::kChunkSize;
  return Step{2, {}};
}

// They have the form of a head without its first line.
Result<BodyDecoder::Step> BodyDecoder::trailer_lines(std::string_view bytes) {
  if (bytes.starts_with("\r\n")) {
    form_ = Form::kDone;
    return Step{2, {}};
  }
  if (bytes == "\r") return Step{};
  TRY_ASSIGN(const auto length, head_length(bytes));
  if (!length) return Step{};
  const std::string head = "trailers\r\n" + std::string(bytes.substr(0, *length));
  TRY_ASSIGN(const auto lines, lines_of(head));
  TRY_ASSIGN(trailers_, parse_headers(lines));
  for (const std::string_view name : kNotTrailers)
    if (find(trailers_, name)) return bad(std::string(name) + " in a trailer");
  form_ = Form::kDone;
  return Step{*length, {}};
}

std::string chunk(std::string_view data) {
  std::string out = sbx::format("{:x}\r\n", data.size());
  out.reserve(out.size() + data.size() + 2);
  return out.append(data).append("\r\n");
}

std::string last_chunk(const Headers& trailers) {
  std::string out = "0\r\n";
  for (const auto& [name, value] : trailers) out.append(name).append(": ").append(value).append("\r\n");
  return out.append("\r\n");
}

}  // namespace sbx::http
