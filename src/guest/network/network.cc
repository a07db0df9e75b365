// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/network/network.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>

#include "base/format.h"
#include "base/value.h"
#include "guest/docker/docker_daemon.h"
#include "streams/socket_stream.h"
#include "wire/mcp.h"

namespace sbx::guest {
namespace {

// Without one if there is no daemon, or too many clients wait for it.
Fd connect_to_docker() {
  Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  std::strncpy(to.sun_path, kDockerSocket, sizeof to.sun_path - 1);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) socket.reset();
  return socket;
}

}  // namespace

Network::Network(loop::Loop& loop, channel::Connections& connections)
    : loop_(loop),
      connections_(connections),
      name_server_(loop, names_),
      capture_(loop, names_, [this](const wire::Connect& wanted, std::unique_ptr<streams::Stream> program) {
        connect(wanted, std::move(program));
      }) {}

Result<> Network::start() {
  TRY_WITHIN("serve names", name_server_.start());
  TRY_WITHIN("capture connections", capture_.start());
  return Ok{};
}

Result<> Network::offer_ssh_agent() { return offer(kSshAgentSocket, {.ssh_agent = true}); }

Result<> Network::offer_mcp(const std::string& server) {
  return offer(sbx::format("{}/{}.sock", wire::kMcpSockets, server), {.mcp = server});
}

Result<> Network::offer(const std::string& path, wire::Connect wanted) {
  offered_.push_back(std::make_unique<OfferedSocket>(loop_, path, [this, wanted = std::move(wanted)](Fd client) {
    connect(wanted, std::make_unique<streams::SocketStream>(loop_, std::move(client)));
  }));
  return offered_.back()->start();
}

// Beyond its limit, and when two thousand million have been, the host would only say no.
void Network::connect(const wire::Connect& wanted, std::unique_ptr<streams::Stream> program) {
  if (relays_.size() >= channel::kMostConnections || next_stream_ < wire::kFirstGuestStream) return;
  relay(std::move(program), connections_.open(next_stream_++, text_of(wanted)));
}

Result<> Network::accept(std::string_view request, std::unique_ptr<streams::Stream> stream) {
  TRY_ASSIGN(const auto wanted, value_in<wire::Accept>(request, "accept"));
  if (wanted.docker) {
    if (Fd socket = connect_to_docker())
      relay(std::make_unique<streams::SocketStream>(loop_, std::move(socket)), std::move(stream));
    return Ok{};
  }
  const Number number = next_++;
  auto held = std::make_shared<std::unique_ptr<streams::Stream>>(std::move(stream));
  dialers_[number] = std::make_unique<LocalDialer>(
      loop_, wanted.port, [this, number, held](Fd socket) { dialed(number, std::move(socket), std::move(*held)); });
  return Ok{};
}

// Without a socket, no server listens there: the stream goes, and the host hears of a reset.
void Network::dialed(Number number, Fd socket, std::unique_ptr<streams::Stream> stream) {
  if (socket) relay(std::make_unique<streams::SocketStream>(loop_, std::move(socket)), std::move(stream));
  dialers_.erase(number);
}

void Network::relay(std::unique_ptr<streams::Stream> inside, std::unique_ptr<streams::Stream> outside) {
  const Number number = next_++;
  auto& relay = relays_[number];
  relay = std::make_unique<streams::Relay>(std::move(inside), std::move(outside),
                                           [this, number] { relays_.erase(number); });
  relay->start();
}

}  // namespace sbx::guest
