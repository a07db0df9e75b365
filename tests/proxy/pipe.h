// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"

namespace sbx::testing {

struct SslDelete {
  void operator()(SSL* ssl) const { SSL_free(ssl); }
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
using Ssl = std::unique_ptr<SSL, SslDelete>;
using Context = std::unique_ptr<SSL_CTX, SslDelete>;

inline std::string encoded(const std::vector<std::string>& protocols) {
  std::string out;
  for (const std::string& protocol : protocols) out += static_cast<char>(protocol.size()) + protocol;
  return out;
}

// A blocking end of a connection for a test, in the clear or inside TLS. Whatever does not come within half a minute
// is taken never to come.
class Pipe {
 public:
  Pipe() = default;
  explicit Pipe(Fd socket) : socket_(std::move(socket)) { set_patience(std::chrono::seconds(30)); }

  void set_patience(std::chrono::milliseconds time) {
    const timeval limit{time.count() / 1000, (time.count() % 1000) * 1000};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  }

  // The number of bytes that were taken before the peer took no more.
  std::size_t send(std::string_view bytes) {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const std::string_view rest = bytes.substr(sent, 64u << 10);
      const auto taken = ssl_ ? SSL_write(ssl_.get(), rest.data(), static_cast<int>(rest.size()))
                              : static_cast<int>(::send(socket_.get(), rest.data(), rest.size(), MSG_NOSIGNAL));
      if (taken <= 0) break;
      sent += static_cast<std::size_t>(taken);
    }
    ERR_clear_error();
    return sent;
  }

  // Some bytes; none: it has ended, or nothing comes.
  std::string some(std::size_t most = 64u << 10) {
    std::string bytes(most, '\0');
    ERR_clear_error();
    const auto size = ssl_ ? SSL_read(ssl_.get(), bytes.data(), static_cast<int>(most))
                           : static_cast<int>(::recv(socket_.get(), bytes.data(), most, 0));
    if (size <= 0 && ssl_) clean_ = SSL_get_error(ssl_.get(), size) == SSL_ERROR_ZERO_RETURN;
    if (size <= 0 && !ssl_) clean_ = size == 0;
    bytes.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return bytes;
  }

  // Up to and including `mark`; what follows stays for the next call. Without it: what there was at the end.
  std::string until(std::string_view mark) {
    for (;;) {
      if (const auto at = ahead_.find(mark); at != std::string::npos) return take(at + mark.size());
      const std::string more = some();
      if (more.empty()) return take(ahead_.size());
      ahead_ += more;
    }
  }
  std::string head() { return until("\r\n\r\n"); }
  std::string exactly(std::size_t size) {
    while (ahead_.size() < size) {
      const std::string more = some();
      if (more.empty()) break;
      ahead_ += more;
    }
    return take(std::min(size, ahead_.size()));
  }
  std::string rest() {
    for (std::string more = some(); !more.empty(); more = some()) ahead_ += more;
    return take(ahead_.size());
  }
  // As many bytes as come, up to `size`, without keeping them.
  std::size_t skip(std::size_t size) {
    std::size_t skipped = take(std::min(size, ahead_.size())).size();
    while (skipped < size) {
      const std::size_t more = some(std::min<std::size_t>(size - skipped, 64u << 10)).size();
      if (more == 0) break;
      skipped += more;
    }
    return skipped;
  }
  // The head and the body of one response that says how long it is.
  std::string response() {
    std::string answer = head();
    const auto length = answer.find("Content-Length: ");
    if (length != std::string::npos) answer += exactly(std::stoul(answer.substr(length + 16)));
    return answer;
  }

  // After nothing has come: whether it is because the peer has said that this is all.
  bool ended_cleanly() const { return clean_; }

  void half_close() {
    if (ssl_) SSL_shutdown(ssl_.get());
    ::shutdown(socket_.get(), SHUT_WR);
  }
  void cut() {  // no close_notify
    ::shutdown(socket_.get(), SHUT_RDWR);
  }
  void close() {
    ssl_.reset();
    socket_.reset();
  }

  // Empty: it worked. Otherwise why not.
  std::string shake_hands(Ssl ssl) {
    ssl_ = std::move(ssl);
    SSL_set_fd(ssl_.get(), socket_.get());
    ERR_clear_error();
    if (SSL_do_handshake(ssl_.get()) == 1) return {};
    char text[256] = "closed";
    if (const auto code = ERR_get_error(); code != 0) ERR_error_string_n(code, text, sizeof text);
    return text;
  }
  SSL* ssl() const { return ssl_.get(); }
  const Fd& socket() const { return socket_; }
  std::string protocol() const {
    const unsigned char* name = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(ssl_.get(), &name, &size);
    return {reinterpret_cast<const char*>(name), size};
  }

 private:
  std::string take(std::size_t size) {
    std::string taken = ahead_.substr(0, size);
    ahead_.erase(0, size);
    return taken;
  }

  Fd socket_;
  Ssl ssl_;
  std::string ahead_;
  bool clean_ = false;
};

}  // namespace sbx::testing
