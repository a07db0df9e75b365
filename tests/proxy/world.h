// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <future>
#include <thread>

#include "policy/edits.h"
#include "proxy/pipe.h"
#include "proxy/proxy.h"
#include "proxy/test_server.h"
#include "streams/socket_stream.h"
#include "support/direct_outside.h"

namespace sbx::testing {

// A small exchange, where it does not matter what is said.
inline const std::string kGet = "GET / HTTP/1.1\r\nHost: good.test\r\n\r\n";
inline const std::string kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

using Edits = std::vector<policy::Edit>;

inline policy::Rules rules_of(const Edits& edits) { return *policy::edited(policy::default_rules(), edits); }

inline Fd memory_file(const std::string& content) {
  Fd file(::memfd_create("roots", MFD_CLOEXEC));
  (void)write_all(file, content);
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

// Of this process, in which everybody is.
inline std::size_t resident_bytes() {
  std::size_t pages = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (std::fscanf(file, "%*s %zu", &pages) != 1) pages = 0;
  std::fclose(file);
  return pages * static_cast<std::size_t>(::getpagesize());
}

// The whole proxy on a thread of its own, with clients on socket pairs. Every name resolves to 203.0.113.7, and a port
// that was given to a server of the test leads there.
class World {
 public:
  explicit World(const Edits& edits = {}, proxy::ProxyLimits limits = {}, proxy::BlobCache* blob_cache = nullptr)
      : loop_(*loop::Loop::create()), outside_(*loop_) {
    ::signal(SIGPIPE, SIG_IGN);
    outside_.resolve_all_to = "203.0.113.7";
    outside_.policy = std::make_shared<const policy::Policy>(rules_of(edits));
    authority_ = *ca::make_authority("test");
    proxy_ = *proxy::Proxy::create({*loop_,
                                    outside_,
                                    "box",
                                    *policy::parse_target("host.docker.internal:3128"),
                                    authority_,
                                    memory_file(issuer_.roots()),
                                    rules_of(edits),
                                    limits,
                                    nullptr,
                                    {},
                                    blob_cache});
    loop_->watch(wake_, EPOLLIN, [this](std::uint32_t) { run_tasks(); });
    thread_ = std::thread([this] { (void)loop_->run(); });
  }
  ~World() {
    end();
    on_loop([this] { loop_->stop(); });
    thread_.join();
  }
  World(const World&) = delete;

  loop::Loop& loop() { return *loop_; }
  const Issuer& issuer() const { return issuer_; }
  const std::string& authority() const { return authority_.certificate; }

  // Connections to this port of any host go to that server.
  void serve(std::uint16_t port, const TestServer& upstream) {
    on_loop([&] { outside_.ports[port] = upstream.port(); });
  }

  void resolve(const std::string& host, const std::string& address) {
    on_loop([&] { outside_.hosts[host] = address; });
  }

  // A program's connection on its way to `target`, and one to the forward proxy.
  Pipe captured(std::string_view target) {
    auto wanted = *policy::parse_target(target);
    return client(
        [this, wanted](std::unique_ptr<streams::Stream> stream) { proxy_->serve(wanted, std::move(stream)); });
  }
  Pipe forward() {
    return client([this](std::unique_ptr<streams::Stream> stream) { proxy_->serve_forward(std::move(stream)); });
  }

  struct Tls {
    std::optional<std::string> server_name;
    std::vector<std::string> protocols = {"http/1.1"};
    int version = 0;  // the only one; 0: any
    bool trusting = true;
  };
  Ssl tls(const Tls& how) const {
    const Context context(SSL_CTX_new(TLS_client_method()));
    if (how.version != 0) {
      SSL_CTX_set_min_proto_version(context.get(), how.version);
      SSL_CTX_set_max_proto_version(context.get(), how.version);
    }
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
    if (how.trusting) {
      const ca::Memory memory(BIO_new_mem_buf(authority_.certificate.data(), -1));
      const ca::Certificate root(PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr));
      X509_STORE_add_cert(SSL_CTX_get_cert_store(context.get()), root.get());
    }
    Ssl ssl(SSL_new(context.get()));
    const std::string protocols = encoded(how.protocols);
    SSL_set_alpn_protos(ssl.get(), reinterpret_cast<const unsigned char*>(protocols.data()),
                        static_cast<unsigned>(protocols.size()));
    if (how.server_name) {
      SSL_set_tlsext_host_name(ssl.get(), how.server_name->c_str());
      SSL_set1_host(ssl.get(), how.server_name->c_str());
    }
    SSL_set_connect_state(ssl.get());
    return ssl;
  }
  // A captured connection inside TLS with the name in the hello.
  Pipe secure(const std::string& host, std::vector<std::string> protocols = {"http/1.1"}) {
    Pipe pipe = captured(host + ":443");
    const std::string failure = pipe.shake_hands(tls({host, std::move(protocols)}));
    if (!failure.empty()) pipe.close();
    return pipe;
  }

  // `outside`: whether the way out knows of it already.
  void change(const Edits& edits, bool outside = true) {
    on_loop([&] {
      if (outside) outside_.policy = std::make_shared<const policy::Policy>(rules_of(edits));
      proxy_->change(rules_of(edits));
    });
  }
  std::vector<netlog::Record> log() {
    std::vector<netlog::Record> records;
    on_loop([&] { records = outside_.records; });
    return records;
  }
  std::vector<std::string> dials() {
    std::vector<std::string> dials;
    on_loop([&] { dials = outside_.dials; });
    return dials;
  }
  std::size_t connections() {
    std::size_t count = 0;
    on_loop([&] { count = proxy_->connections(); });
    return count;
  }
  // Dials are held back from now on, and go on.
  void hold_dials(bool held) {
    on_loop([&] { outside_.hold(held); });
  }

  // The proxy is no more: all its connections are closed.
  void end() {
    on_loop([this] { proxy_.reset(); });
  }

  void on_loop(const std::function<void()>& task) {
    std::promise<void> done;
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back([&] {
        task();
        done.set_value();
      });
    }
    const std::uint64_t one = 1;
    (void)!::write(wake_.get(), &one, sizeof one);
    done.get_future().wait();
  }

 private:
  Pipe client(std::function<void(std::unique_ptr<streams::Stream>)> serve) {
    auto pair = *make_socket_pair();
    (void)set_nonblocking(pair.theirs);
    on_loop([&] { serve(std::make_unique<streams::SocketStream>(*loop_, std::move(pair.theirs))); });
    return Pipe(std::move(pair.ours));
  }

  void run_tasks() {
    std::uint64_t count = 0;
    (void)!::read(wake_.get(), &count, sizeof count);
    std::vector<std::function<void()>> tasks;
    {
      const std::lock_guard lock(mutex_);
      tasks.swap(tasks_);
    }
    for (const auto& task : tasks) task();
  }

  Issuer issuer_;
  ca::Authority authority_;
  Fd wake_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  std::unique_ptr<loop::Loop> loop_;
  DirectOutside outside_;
  std::unique_ptr<proxy::Proxy> proxy_;
  std::mutex mutex_;
  std::vector<std::function<void()>> tasks_;
  std::thread thread_;
};

}  // namespace sbx::testing
