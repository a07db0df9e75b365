// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>

#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/socket.h"
#include "http/message.h"

namespace sbx::cli {

// A daemon of a test's own: it reads one request a connection and answers with the bytes that the test gives.
class FakeDaemon {
 public:
  using Answer = std::function<std::string(const http::Request& request)>;

  FakeDaemon(const std::string& socket, Answer answer)
      : answer_(std::move(answer)), listener_(std::move(*listen_unix(socket))) {
    thread_ = std::thread([this] { serve(); });
  }
  ~FakeDaemon() {
    ::shutdown(listener_.get(), SHUT_RDWR);
    thread_.join();
  }
  FakeDaemon(const FakeDaemon&) = delete;
  FakeDaemon& operator=(const FakeDaemon&) = delete;

  std::vector<http::Request> requests() {
    const std::scoped_lock held(mutex_);
    return requests_;
  }

 private:
  void serve() {
    while (true) {
      const auto connection = accept_unix(listener_);
      if (!connection) return;
      const auto request = read_request(*connection);
      if (!request) continue;
      {
        const std::scoped_lock held(mutex_);
        requests_.push_back(*request);
      }
      (void)write_all(*connection, answer_(*request));
    }
  }

  static Result<http::Request> read_request(const Fd& connection) {
    std::string bytes;
    for (char piece[4096];;) {
      TRY_ASSIGN(const auto length, http::head_length(bytes));
      if (length) {
        TRY_ASSIGN(http::Request request, http::parse_request_head(std::string_view(bytes).substr(0, *length)));
        TRY_ASSIGN(const auto body, http::body_length(request.headers));
        request.body = bytes.substr(*length);
        while (request.body.size() < body.bytes.value_or(0)) {
          const ssize_t n = ::recv(connection.get(), piece, sizeof piece, 0);
          if (n <= 0) return fail(Code::kInternal, "the client is gone");
          request.body.append(piece, static_cast<std::size_t>(n));
        }
        return request;
      }
      const ssize_t n = ::recv(connection.get(), piece, sizeof piece, 0);
      if (n <= 0) return fail(Code::kInternal, "the client is gone");
      bytes.append(piece, static_cast<std::size_t>(n));
    }
  }

  Answer answer_;
  Fd listener_;
  std::mutex mutex_;
  std::vector<http::Request> requests_;
  std::thread thread_;
};

}  // namespace sbx::cli
