// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/messages.h"

#include <unistd.h>

#include <array>
#include <cerrno>

namespace sbx::cli::mcp {
namespace {

bool is_id(const Json& json) { return json.is_string() || json.is_number_integer(); }

}  // namespace

Result<Message> parse_message(std::string_view line) {
  TRY_ASSIGN(const Json json, parse_json(line));
  if (!json.is_object() || json.value("jsonrpc", Json()) != Json("2.0"))
    return fail(Code::kInvalid, "that is no JSON-RPC 2.0 message");
  Message message;
  if (json.contains("id")) {
    if (!is_id(json["id"])) return fail(Code::kInvalid, "\"id\" must be a string or a whole number");
    message.id = json["id"];
  }
  if (json.contains("method")) {
    if (!json["method"].is_string()) return fail(Code::kInvalid, "\"method\" must be a string");
    message.method = json["method"];
  }
  if (json.contains("params")) {
    if (!json["params"].is_object()) return fail(Code::kInvalid, "\"params\" must be an object");
    message.parameters = json["params"];
  }
  if (json.contains("result")) message.result = json["result"];
  if (!message.id && message.method.empty()) return fail(Code::kInvalid, "it has neither \"id\" nor \"method\"");
  return message;
}

Json answer(const Json& id, Json result) { return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}}; }

Json error_answer(const Json& id, int code, std::string_view text) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", text}}}};
}

Json request(std::int64_t id, std::string_view method, Json parameters) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(parameters)}};
}

Json notification(std::string_view method, Json parameters) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(parameters)}};
}

Result<std::optional<std::string>> LineReader::next() {
  std::size_t searched = 0;
  bool too_long = false;
  for (;;) {
    const auto end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      if (too_long) return fail(Code::kTooLarge, "a message has more than 8 MiB");
      return line;
    }
    searched = buffer_.size();
    if (searched > kLongestLine) {
      too_long = true;
      buffer_.clear();
      searched = 0;
    }
    std::array<char, 64u << 10> piece;
    const ssize_t n = ::read(in_.get(), piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno("read a message");
    if (n == 0) return std::nullopt;
    buffer_.append(piece.data(), static_cast<std::size_t>(n));
  }
}

Result<> MessageWriter::send(const Json& message) {
  const std::string line = dump(message) + "\n";
  const std::lock_guard lock(mutex_);
  return write_all(out_, line);
}

}  // namespace sbx::cli::mcp
