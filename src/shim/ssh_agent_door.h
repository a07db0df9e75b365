// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <map>
#include <memory>
#include <string_view>

#include "base/fd.h"
#include "gate/line.h"
#include "loop/lifeline.h"
#include "loop/loop.h"
#include "shim/ssh_connections.h"
#include "sshagent/line_message.h"
#include "streams/stream.h"

namespace sbx::shim {

// The shim's end of the line to the signer: what programs in the guest take for an ssh-agent. Reads their messages,
// passes on those that list keys or sign a login, in a form of our own, and answers all others with a failure, as an
// agent does that cannot. When the signer is gone every answer is a failure.
//
// A login is passed on if it is one at a server that the sandbox is connected to: the client has said by what its
// server has proved itself (OpenSSH's session-bind), that proof was seen on an open connection, and it is over the
// session that the login is for. So nothing is signed for a session that some other machine has somewhere else.
class SshAgentDoor {
 public:
  static constexpr std::size_t kMostClients = 64;

  SshAgentDoor(loop::Loop& loop, Fd signer, const SshConnections& connections);
  ~SshAgentDoor();
  SshAgentDoor(const SshAgentDoor&) = delete;
  SshAgentDoor& operator=(const SshAgentDoor&) = delete;

  // One too many is closed.
  void serve(std::unique_ptr<streams::Stream> program);

 private:
  class Client;
  using Place = std::list<std::unique_ptr<Client>>::iterator;

  bool ask(Client& client, decltype(sshagent::Ask::request) request);  // false: there is no signer
  void signer_said(std::string_view bytes);
  void signer_lost();
  void drop(Place place);

  loop::Loop& loop_;
  const SshConnections& connections_;
  std::list<std::unique_ptr<Client>> clients_;
  std::map<sshagent::Ticket, Client*> asked_;
  sshagent::Ticket next_ = 1;
  bool lost_ = false;
  loop::Lifeline lifeline_;
  gate::Line line_;
};

}  // namespace sbx::shim
