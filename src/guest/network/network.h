// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "channel/connections.h"
#include "guest/network/capture.h"
#include "guest/network/local_dialer.h"
#include "guest/network/name_server.h"
#include "guest/network/name_table.h"
#include "guest/network/offered_socket.h"
#include "loop/loop.h"
#include "streams/relay.h"
#include "streams/stream.h"
#include "wire/guest.h"

namespace sbx::guest {

// The guest's network at work (docs/life-of-a-connection.md), once the kernel redirects to it (guest/network/routes.h,
// guest/network/redirect.h): connections of its programs go out over the channel,
// those that come to a published port go in to a server on its loopback.
class Network {
 public:
  // Borrows the connections.
  Network(loop::Loop& loop, channel::Connections& connections);
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  Result<> start();
  // Programs find an ssh-agent.
  Result<> offer_ssh_agent();
  // Programs reach this MCP server, by a socket in wire::kMcpSockets.
  Result<> offer_mcp(const std::string& server);
  // The host has opened this one, for what `request` says: a connection to a port of the guest's loopback.
  Result<> accept(std::string_view request, std::unique_ptr<streams::Stream> stream);

 private:
  using Number = std::uint64_t;

  Result<> offer(const std::string& path, wire::Connect wanted);
  void connect(const wire::Connect& wanted, std::unique_ptr<streams::Stream> program);
  void dialed(Number number, Fd socket, std::unique_ptr<streams::Stream> stream);
  void relay(std::unique_ptr<streams::Stream> inside, std::unique_ptr<streams::Stream> outside);

  loop::Loop& loop_;
  channel::Connections& connections_;
  NameTable names_;
  NameServer name_server_;
  Capture capture_;
  std::vector<std::unique_ptr<OfferedSocket>> offered_;
  std::unordered_map<Number, std::unique_ptr<LocalDialer>> dialers_;
  std::unordered_map<Number, std::unique_ptr<streams::Relay>> relays_;
  Number next_ = 0;
  std::uint32_t next_stream_ = wire::kFirstGuestStream;
};

}  // namespace sbx::guest
