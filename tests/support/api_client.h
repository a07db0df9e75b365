// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <optional>
#include <string>

#include "base/fd.h"
#include "base/socket.h"
#include "http/message.h"

namespace sbx::testing {

// A client of the API that says exactly what it is told to.
class ApiClient {
 public:
  explicit ApiClient(const std::string& socket) : socket_(std::move(*connect_unix(socket))) {}

  void send(std::string_view bytes) { (void)sends(bytes); }
  bool sends(std::string_view bytes) { return write_all(socket_, bytes).has_value(); }
  void end_input() { ::shutdown(socket_.get(), SHUT_WR); }

  // `headers` are whole lines.
  http::Response call(const std::string& method, const std::string& target, const std::string& body = "",
                      const std::string& headers = "") {
    send(method + " " + target + " HTTP/1.1\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + headers +
         "\r\n" + body);
    return receive();
  }

  http::Response receive_head() {
    while (!http::head_length(buffer_).value_or(0).has_value())
      if (!read_more()) return {0, {}, ""};
    const std::size_t length = **http::head_length(buffer_);
    auto response = http::parse_response_head(std::string_view(buffer_).substr(0, length));
    EXPECT_TRUE(response) << buffer_;
    buffer_.erase(0, length);
    if (response && response->header("Transfer-Encoding")) take_chunks(std::exchange(buffer_, {}));
    return response.value_or(http::Response{0, {}, ""});
  }

  http::Response receive() {
    http::Response response = receive_head();
    const std::size_t size = http::body_length(response.headers)->bytes.value_or(0);
    while (buffer_.size() < size && read_more()) {
    }
    response.body = buffer_.substr(0, size);
    buffer_.erase(0, size);
    return response;
  }

  std::string receive_until(const std::string& end) {
    while (buffer_.find(end) == std::string::npos && read_more()) {
    }
    const std::string part = buffer_.substr(0, buffer_.find(end) + end.size());
    buffer_.erase(0, part.size());
    return part;
  }

  std::string receive_all() {
    while (read_more()) {
    }
    return std::exchange(buffer_, {});
  }

  std::string stream(const std::string& target) {
    send("GET " + target + " HTTP/1.1\r\n\r\n");
    EXPECT_EQ(receive_head().status, 200);
    return receive_all();
  }

  // Waits for it.
  bool is_closed() { return receive_all().empty(); }
  // Whether a body in chunks has come to its end.
  bool is_whole() const { return whole_; }

 private:
  // What has come of a body in chunks, from the end of its head on.
  void take_chunks(std::string_view bytes) {
    chunks_ = chunks_.value_or("") + std::string(bytes);
    for (;;) {
      const std::size_t line = chunks_->find("\r\n");
      if (line == std::string::npos) return;
      const std::size_t size = std::stoul(chunks_->substr(0, line), nullptr, 16);
      if (chunks_->size() < line + 2 + size + 2) return;
      buffer_ += chunks_->substr(line + 2, size);
      chunks_->erase(0, line + 2 + size + 2);
      whole_ = size == 0;
    }
  }

  bool read_more() {
    std::array<char, 65536> chunk;
    const ssize_t n = ::read(socket_.get(), chunk.data(), chunk.size());
    if (n <= 0) return false;
    const std::string_view bytes(chunk.data(), static_cast<std::size_t>(n));
    if (chunks_)
      take_chunks(bytes);
    else
      buffer_ += bytes;
    return true;
  }

  Fd socket_;
  std::string buffer_;
  std::optional<std::string> chunks_;  // not decoded yet; nothing: there are none
  bool whole_ = false;
};

}  // namespace sbx::testing
