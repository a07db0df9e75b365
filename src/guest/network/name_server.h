// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "guest/network/acceptor.h"
#include "guest/network/name_table.h"
#include "loop/loop.h"
#include "streams/socket_stream.h"

namespace sbx::guest {

// Answers every question about names that a program of the guest's asks any server, over UDP and TCP: an address of
// 198.18.0.0/15 for any name that a host can have, none of IPv6, no other records, and the name for such an address. No
// question leaves the guest: whether there is such a host shows when a program connects.
class NameServer {
 public:
  NameServer(loop::Loop& loop, NameTable& names);
  ~NameServer();
  NameServer(const NameServer&) = delete;
  NameServer& operator=(const NameServer&) = delete;

  Result<> start();

  // One message; nothing if it is not to be answered.
  std::optional<std::string> reply(std::string_view message);

 private:
  class Client;

  void read_datagrams();
  bool read_datagram();
  void add_client(Fd socket);
  void drop(std::uint64_t client);

  loop::Loop& loop_;
  NameTable& names_;
  Fd datagrams_;
  Acceptor acceptor_;
  std::map<std::uint64_t, std::unique_ptr<Client>> clients_;
  std::uint64_t next_client_ = 0;
};

}  // namespace sbx::guest
