// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0

// proxy_load: clients of a forward proxy, as many as asked for, for some seconds; prints one JSON object.
//
//   proxy_load requests --port N --target HOST:PORT --roots FILE [--connections N] [--seconds N]
//       Each client sends CONNECT, does TLS, and asks for / again and again. --port 0: without a proxy, to 127.0.0.1.
//       --via ADDRESS: where the proxy is; 127.0.0.1 by default.
//   proxy_load tunnel --port N --target HOST:PORT [--connections N] [--seconds N]
//       Each client sends CONNECT and one line, and reads what comes.
//   proxy_load source --port N
//       A server that sends without end to whoever has sent a line.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstdio>
#include <list>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/file.h"
#include "base/format.h"
#include "http/raw.h"
#include "proxy/tls.h"
#include "streams/socket_stream.h"

namespace sbx::bench {
namespace {

using streams::Stream;

struct Options {
  std::string mode;
  std::string via = "127.0.0.1";
  std::uint16_t port = 0;
  std::string host;
  std::uint16_t target_port = 0;
  std::string roots;
  int connections = 10;
  int seconds = 3;
};

struct Tally {
  std::vector<std::int64_t> latencies_us;
  std::uint64_t bytes = 0;
  std::uint64_t errors = 0;
};

Result<Options> parse(int argc, char** argv) {
  Options options;
  options.mode = argc > 1 ? argv[1] : "";
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const std::string value = argv[i + 1];
    const auto colon = value.rfind(':');
    if (name == "--port") options.port = static_cast<std::uint16_t>(std::stoi(value));
    if (name == "--via") options.via = value;
    if (name == "--target") options.host = value.substr(0, colon);
    if (name == "--target") options.target_port = static_cast<std::uint16_t>(std::stoi(value.substr(colon + 1)));
    if (name == "--roots") options.roots = value;
    if (name == "--connections") options.connections = std::stoi(value);
    if (name == "--seconds") options.seconds = std::stoi(value);
  }
  return options;
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

Result<Fd> connect_to(const std::string& via, std::uint16_t port) {
  Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = loopback(port);
  ::inet_pton(AF_INET, via.c_str(), &address.sin_addr);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return fail_errno("connect");
  const int yes = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  ::fcntl(socket.get(), F_SETFL, ::fcntl(socket.get(), F_GETFL) | O_NONBLOCK);
  return socket;
}

// One client, over and over.
class Client final : private Stream::Listener {
 public:
  Client(loop::Loop& loop, const Options& options, SSL_CTX* context, Tally& tally)
      : loop_(loop), options_(options), context_(context), tally_(tally) {}

  Result<> start() {
    const bool direct = options_.port == 0;
    TRY_ASSIGN(Fd socket, connect_to(options_.via, direct ? options_.target_port : options_.port));
    stream_ = std::make_unique<streams::SocketStream>(loop_, std::move(socket));
    if (direct) return secure();
    stream_->listen(*this);
    const std::string where = sbx::format("{}:{}", options_.host, options_.target_port);
    stream_->send(sbx::format("CONNECT {} HTTP/1.1\r\nHost: {}\r\n\r\n", where, where));
    return Ok{};
  }

 private:
  void received(std::string_view bytes) override {
    if (connected_ && options_.mode == "tunnel") {
      tally_.bytes += bytes.size();
      return;
    }
    input_ += bytes;
    const auto length = http::head_length(input_);
    if (!length) return failed(length.error());
    if (!*length) return;
    if (!connected_) return established(**length);
    answered(**length);
  }
  void ended() override { ++tally_.errors; }
  void failed(const Error&) override { ++tally_.errors; }
  void drained() override {}

  void established(std::size_t head) {
    if (!input_.starts_with("HTTP/1.1 200") && !input_.starts_with("HTTP/1.0 200")) return ended();
    input_.erase(0, head);
    connected_ = true;
    if (options_.mode == "tunnel") return stream_->send("go\n");
    // Later: the stream that we replace is the one that calls.
    loop_.later([this] {
      if (!secure()) ended();
    });
  }

  Result<> secure() {
    connected_ = true;
    TRY_ASSIGN(const policy::Host host, policy::Host::parse(options_.host));
    TRY_ASSIGN(proxy::SslPtr ssl, proxy::make_client(context_, host, {"http/1.1"}));
    auto tls = std::make_unique<proxy::Tls>(loop_, std::move(ssl), std::move(stream_));
    proxy::Tls& started = *tls;
    stream_ = std::move(tls);
    started.listen(*this);
    started.start({}, [this](const Result<>& done) { done ? ask() : failed(done.error()); });
    return Ok{};
  }

  void ask() {
    asked_ = steady_now();
    stream_->send(sbx::format("GET / HTTP/1.1\r\nHost: {}:{}\r\n\r\n", options_.host, options_.target_port));
  }

  void answered(std::size_t head) {
    const auto response = http::parse_raw_response(std::string_view(input_).substr(0, head));
    if (!response || response->status != 200) return ended();
    const auto length = http::body_length(response->headers);
    if (!length || !length->bytes) return ended();
    if (input_.size() < head + *length->bytes) return;
    input_.clear();
    tally_.bytes += *length->bytes;
    tally_.latencies_us.push_back(std::chrono::duration_cast<std::chrono::microseconds>(steady_now() - asked_).count());
    ask();
  }

  loop::Loop& loop_;
  const Options& options_;
  SSL_CTX* context_;
  Tally& tally_;
  std::unique_ptr<Stream> stream_;
  std::string input_;
  bool connected_ = false;
  SteadyTime asked_;
};

std::int64_t percentile(const std::vector<std::int64_t>& sorted, double part) {
  if (sorted.empty()) return 0;
  return sorted[static_cast<std::size_t>(static_cast<double>(sorted.size() - 1) * part)];
}

Result<> load(const Options& options) {
  TRY_ASSIGN(const auto loop, loop::Loop::create());
  proxy::SslContext context;
  if (options.mode == "requests") {
    TRY_ASSIGN(const std::string roots, read_file(options.roots));
    TRY_ASSIGN(context, proxy::make_client_context(roots));
  }
  Tally tally;
  std::list<Client> clients;
  for (int i = 0; i < options.connections; ++i) {
    clients.emplace_back(*loop, options, context.get(), tally);
    TRY(clients.back().start());
  }
  // What it takes until all are connected is not counted.
  loop->after(std::chrono::seconds(1), [&] { tally = {}; });
  loop->after(std::chrono::seconds(1 + options.seconds), [&] { loop->stop(); });
  TRY(loop->run());
  std::ranges::sort(tally.latencies_us);
  std::printf("{\"requests_per_second\":%.0f,\"p50_us\":%ld,\"p99_us\":%ld,\"bytes_per_second\":%.0f,\"errors\":%lu}\n",
              static_cast<double>(tally.latencies_us.size()) / options.seconds, percentile(tally.latencies_us, 0.5),
              percentile(tally.latencies_us, 0.99), static_cast<double>(tally.bytes) / options.seconds, tally.errors);
  return Ok{};
}

// A thread for each visitor, so that it is not what limits them.
void pour(Fd visitor) {
  const std::string bytes(256u << 10, 'x');
  char line = 0;
  if (::recv(visitor.get(), &line, 1, 0) != 1) return;
  while (::send(visitor.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) > 0) continue;
}

Result<> serve(const Options& options) {
  const Fd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int yes = 1;
  ::setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const sockaddr_in address = loopback(options.port);
  if (::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener.get(), 1024) != 0)
    return fail_errno("listen");
  for (;;) {
    Fd visitor(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!visitor) return fail_errno("accept");
    std::thread(pour, std::move(visitor)).detach();
  }
}

}  // namespace
}  // namespace sbx::bench

int main(int argc, char** argv) {
  ::signal(SIGPIPE, SIG_IGN);
  const auto options = sbx::bench::parse(argc, argv);
  const auto done = options->mode == "source" ? sbx::bench::serve(*options) : sbx::bench::load(*options);
  if (done) return 0;
  std::fprintf(stderr, "proxy_load: %s\n", done.error().what().c_str());
  return 1;
}
