// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "guest/network/acceptor.h"
#include "loop/loop.h"

namespace sbx::guest {

// Below guest::kOfferedSockets, so that programs reach it. SSH_AUTH_SOCK says so to them.
inline constexpr const char* kSshAgentSocket = "/run/sandbox/ssh-agent.sock";

// Takes the clients of something that the host offers to programs: an ssh-agent, an MCP server. The socket is the
// agent's own and root's: no other user of the guest may connect. What clients say is not looked at here.
class OfferedSocket {
 public:
  OfferedSocket(loop::Loop& loop, std::string path, Acceptor::OnSocket on_client)
      : path_(std::move(path)), acceptor_(loop, std::move(on_client)) {}

  Result<> start();

 private:
  std::string path_;
  Acceptor acceptor_;
};

}  // namespace sbx::guest
