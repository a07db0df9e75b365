// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <functional>
#include <mutex>
#include <thread>

#include "proxy/certificates.h"
#include "proxy/pipe.h"

namespace sbx::testing {

// How a server speaks TLS.
struct Secure {
  const Issued* certificate = nullptr;  // none: in the clear
  std::vector<std::string> protocols;   // of ours, the best first
  int version = 0;                      // the only one; 0: any
};

// A server on a port of the loopback, each connection of which is served by a script in a thread of its own.
class TestServer {
 public:
  using Script = std::function<void(Pipe& client)>;

  explicit TestServer(Script script, Secure secure = {}) : script_(std::move(script)), secure_(std::move(secure)) {
    listener_ = bound(port_);
    ::listen(listener_.get(), 4096);
    acceptor_ = std::thread([this] { accept(); });
  }
  ~TestServer() { end(); }
  TestServer(const TestServer&) = delete;

  std::uint16_t port() const { return port_; }
  int connections() const { return connections_; }

  // No more connections; waits until those that there are have ended, also those that wait to be accepted. Nothing
  // changes after it.
  void end() {
    if (!acceptor_.joinable()) return;
    std::uint16_t port = 0;
    const Fd last = bound(port);
    last_ = port;
    const sockaddr_in address = loopback(port_);
    ::connect(last.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
    acceptor_.join();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  static sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }
  static Fd bound(std::uint16_t& port) {
    Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), size);
    ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size);
    port = ntohs(address.sin_port);
    return socket;
  }

  void accept() {
    for (;;) {
      sockaddr_in peer{};
      socklen_t size = sizeof peer;
      Fd client(::accept4(listener_.get(), reinterpret_cast<sockaddr*>(&peer), &size, SOCK_CLOEXEC));
      if (!client || ntohs(peer.sin_port) == last_) return;
      const int yes = 1;
      ::setsockopt(client.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
      ++connections_;
      threads_.emplace_back([this, socket = std::move(client)]() mutable {
        Pipe pipe(std::move(socket));
        if (shaken(pipe)) script_(pipe);
      });
    }
  }

  bool shaken(Pipe& pipe) {
    if (secure_.certificate == nullptr) return true;
    const Context context(SSL_CTX_new(TLS_server_method()));
    if (secure_.version != 0) {
      SSL_CTX_set_min_proto_version(context.get(), secure_.version);
      SSL_CTX_set_max_proto_version(context.get(), secure_.version);
    }
    SSL_CTX_set_alpn_select_cb(context.get(), choose, &secure_.protocols);
    Ssl ssl(SSL_new(context.get()));
    SSL_use_certificate(ssl.get(), secure_.certificate->certificate.get());
    SSL_use_PrivateKey(ssl.get(), secure_.certificate->key.get());
    SSL_set_accept_state(ssl.get());
    return pipe.shake_hands(std::move(ssl)).empty();
  }

  static int choose(SSL*, const unsigned char** out, unsigned char* size, const unsigned char* offered,
                    unsigned int offered_size, void* ours) {
    const std::string list = encoded(*static_cast<const std::vector<std::string>*>(ours));
    unsigned char* chosen = nullptr;
    const int found = SSL_select_next_proto(&chosen, size, reinterpret_cast<const unsigned char*>(list.data()),
                                            static_cast<unsigned>(list.size()), offered, offered_size);
    if (found != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_NOACK;
    *out = offered;
    while (*size != **out || std::memcmp(*out + 1, chosen, *size) != 0) *out += **out + 1;  // `list` ends with us
    ++*out;
    return SSL_TLSEXT_ERR_OK;
  }

  Script script_;
  Secure secure_;
  Fd listener_;
  std::uint16_t port_ = 0;
  std::atomic<std::uint16_t> last_ = 0;  // the client after which there are no more
  std::atomic<int> connections_ = 0;
  std::thread acceptor_;
  std::vector<std::thread> threads_;  // of the acceptor, until it has ended
};

// What a server has been sent, by any number of connections.
class Heard {
 public:
  void add(std::string_view bytes) {
    const std::lock_guard lock(mutex_);
    bytes_ += bytes;
  }
  std::string all() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }

 private:
  mutable std::mutex mutex_;
  std::string bytes_;
};

// The body that a head announces, as far as it comes.
inline std::string body_after(const std::string& head, Pipe& client) {
  if (head.find("Transfer-Encoding: chunked\r\n") != std::string::npos) return client.until("0\r\n\r\n");
  const auto length = head.find("Content-Length: ");
  return length == std::string::npos ? "" : client.exactly(std::stoul(head.substr(length + 16)));
}

// Answers each request with "ok" when it is complete, and notes everything that it is sent.
inline TestServer::Script noting(Heard& heard) {
  return [&heard](Pipe& client) {
    for (std::string head = client.head(); !head.empty(); head = client.head()) {
      heard.add(head);
      heard.add(body_after(head, client));
      client.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    }
  };
}

}  // namespace sbx::testing
