// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/json.h"
#include "base/result.h"

// JSON-RPC 2.0 as MCP's stdio transport has it: one message a line.
namespace sbx::cli::mcp {

inline constexpr std::size_t kLongestLine = 8u << 20;

namespace rpc {
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kNoSuchMethod = -32601;
inline constexpr int kInvalidParameters = -32602;
inline constexpr int kInternalError = -32603;
}  // namespace rpc

// A request (id and method), a notification (method), or an answer to a request of ours (id and no method).
struct Message {
  std::optional<Json> id;
  std::string method;
  Json parameters = Json::object();
  std::optional<Json> result;  // of an answer; none: it is an error

  bool is_request() const { return id && !method.empty(); }
  bool is_answer() const { return id && method.empty(); }
};
Result<Message> parse_message(std::string_view line);

Json answer(const Json& id, Json result);
Json error_answer(const Json& id, int code, std::string_view text);
Json request(std::int64_t id, std::string_view method, Json parameters);
Json notification(std::string_view method, Json parameters);

// Lines of a borrowed descriptor.
class LineReader {
 public:
  explicit LineReader(const Fd& in) : in_(in) {}
  // Without its newline; nothing at EOF. kTooLarge: the line was longer than kLongestLine, and is skipped.
  Result<std::optional<std::string>> next();

 private:
  const Fd& in_;
  std::string buffer_;
};

// Messages from several threads to a borrowed descriptor, each whole.
class MessageWriter {
 public:
  explicit MessageWriter(const Fd& out) : out_(out) {}
  Result<> send(const Json& message);

 private:
  const Fd& out_;
  std::mutex mutex_;
};

}  // namespace sbx::cli::mcp
