// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "gate/line.h"
#include "loop/message_server.h"
#include "vault/message.h"

namespace sbx::vault {

// Takes a sandbox's credentials from the daemon, as a descriptor that it never reads, and sees to it that there is a
// vault that has them: forks it when there is something to keep, and again when it has died. So the death of a vault
// loses requests, and nothing else.
class Keeper {
 public:
  struct Inputs {
    loop::Loop& loop;
    Fd control;  // vault.sock
    uid_t owner;
    Fd shim;  // each gets a line to each new vault
    Fd gate;
    Fd roots;  // tls::Trust::open_bundle(), for the vaults
  };
  explicit Keeper(Inputs inputs);

 private:
  using Asker = loop::MessageServer::Asker;
  // Credentials that are to hold, and who waits for it.
  struct Change {
    std::uint64_t number;
    Asker asker;
    Fd file;
    int attempts = 0;
  };

  void request(Asker asker, Message message);
  void answer(Asker asker, const Error* error);
  void next_change();
  void start_vault();
  void send_load(std::uint64_t number, const Fd& file);
  void vault_said(std::string_view bytes);
  void vault_ended();
  void loaded(const Loaded& loaded);
  void give_up_waiting(const std::string& why);
  void finish_change(const std::string& error, bool keep);

  loop::Loop& loop_;
  Fd roots_;
  Fd file_;  // what holds; none: there are no credentials
  std::uint64_t last_number_ = 0;
  std::deque<Change> changes_;  // the first is being made, if there is a vault
  pid_t vault_ = -1;
  SteadyTime started_{};
  std::chrono::milliseconds pause_{0};  // before the next vault
  loop::Loop::Timer restart_;
  loop::Loop::Timer limit_;           // of the change that is being made
  std::unique_ptr<gate::Line> line_;  // to the vault
  gate::Line shim_;
  gate::Line gate_;
  loop::MessageServer server_;
};

}  // namespace sbx::vault
