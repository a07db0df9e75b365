// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0

// proxy_server: the proxy of a sandbox without the sandbox, on a TCP port of the loopback, for ./bench and for tests by
// hand. Listens for a forward proxy's clients; prints its port.
//
//   proxy_server --ca DIR [--roots FILE] [--port N] [--host NAME=ADDRESS]... [--capture NAME:PORT] [--EDIT VALUE]...
//
// With --capture it takes its clients for captured ones that were on their way to NAME:PORT, instead.
// DIR gets proxy-ca.crt. EDIT is what `network proxy` takes: --policy deny --allow-host example.com.
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cstdio>
#include <string>

#include "base/file.h"
#include "policy/edits.h"
#include "proxy/proxy.h"
#include "streams/socket_stream.h"
#include "support/direct_outside.h"

namespace sbx::testing {
namespace {

struct Options {
  std::string ca;
  std::string roots;
  std::uint16_t port = 0;
  std::optional<policy::Target> captured;
  std::vector<std::pair<std::string, std::string>> hosts;
  std::vector<policy::Edit> edits;
};

Result<Options> parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = std::string(argv[i]).substr(2);
    const std::string value = argv[i + 1];
    const auto equals = value.find('=');
    if (name == "ca")
      options.ca = value;
    else if (name == "roots")
      options.roots = value;
    else if (name == "port")
      options.port = static_cast<std::uint16_t>(std::stoi(value));
    else if (name == "capture") {
      TRY_ASSIGN(options.captured, policy::parse_target(value));
    } else if (name == "host")
      options.hosts.emplace_back(value.substr(0, equals), value.substr(equals + 1));
    else
      options.edits.push_back({name, value});
  }
  if (options.ca.empty()) return fail(Code::kInvalid, "--ca DIR is missing");
  return options;
}

Result<Fd> listen_on(std::uint16_t port) {
  Fd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int yes = 1;
  ::setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      ::listen(listener.get(), 4096) != 0 ||
      ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
    return fail_errno("listen");
  std::printf("%u\n", ntohs(address.sin_port));
  std::fflush(stdout);
  return listener;
}

Result<> run(int argc, char** argv) {
  TRY_ASSIGN(const Options options, parse(argc, argv));
  TRY_ASSIGN(const auto loop, loop::Loop::create());
  TRY_ASSIGN(const ca::Authority authority, ca::make_authority("test"));
  TRY(write_file(options.ca + "/proxy-ca.crt", authority.certificate));
  TRY_ASSIGN(policy::Rules rules, policy::edited(policy::default_rules(), options.edits));
  DirectOutside outside(*loop);
  outside.keep_records = false;
  outside.policy = std::make_shared<const policy::Policy>(rules);
  for (const auto& [name, address] : options.hosts) outside.hosts[name] = address;
  Fd roots = tls::Trust::open_bundle();
  if (!options.roots.empty()) {
    TRY_ASSIGN(roots, open_path(options.roots, O_RDONLY));
  }
  TRY_ASSIGN(const auto proxy, proxy::Proxy::create({*loop, outside, "test", *policy::parse_target("localhost:3128"),
                                                     authority, std::move(roots), std::move(rules)}));
  TRY_ASSIGN(const Fd listener, listen_on(options.port));
  loop->watch(listener, EPOLLIN, [&](std::uint32_t) {
    Fd client(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!client) return;
    const int yes = 1;
    ::setsockopt(client.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    auto stream = std::make_unique<streams::SocketStream>(*loop, std::move(client));
    if (options.captured)
      proxy->serve(*options.captured, std::move(stream));
    else
      proxy->serve_forward(std::move(stream));
  });
  return loop->run();
}

}  // namespace
}  // namespace sbx::testing

int main(int argc, char** argv) {
  ::signal(SIGPIPE, SIG_IGN);
  if (const auto done = sbx::testing::run(argc, argv); !done) {
    std::fprintf(stderr, "proxy_server: %s\n", done.error().what().c_str());
    return 1;
  }
}
