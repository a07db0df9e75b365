// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/fd.h"
#include "base/input_thread.h"
#include "base/mutex.h"
#include "base/result.h"
#include "sandboxes/sandbox.h"
#include "secrets/secret_store.h"

namespace sbx::sandboxes {

// The ssh-agents of sandboxes that have one (--ssh-agent): their signers get a connection to the user's own, and a line
// on which they tell each use, which is written into the audit log before the key signs. A daemon that ends ends the
// lines, and with them the use of the agent: nothing is signed that is not in the log.
class SshAgents {
 public:
  explicit SshAgents(secrets::SecretStore& store);
  SshAgents(const SshAgents&) = delete;
  SshAgents& operator=(const SshAgents&) = delete;

  // A running sandbox has what it is to have: nothing happens if it has. A failure is logged, once for each reason: the
  // sandbox works without.
  void follow(const Sandbox& sandbox);

 private:
  struct Entry {
    std::string sandbox;
    std::string run;  // which of its machines: its shim
    std::string agent;
    Fd line;
  };

  std::shared_ptr<Mutex> turn_of(const std::string& sandbox) SBX_EXCLUDES(mutex_);
  bool has(const Entry& wanted) SBX_EXCLUDES(mutex_);
  Result<> connect(const Sandbox& sandbox, Entry entry) SBX_EXCLUDES(mutex_);
  void serve(int line);

  secrets::SecretStore& store_;
  Mutex mutex_;
  std::map<int, Entry> entries_ SBX_GUARDED_BY(mutex_);                         // by descriptor
  std::map<std::string, std::string> complaints_ SBX_GUARDED_BY(mutex_);        // by sandbox: the last
  std::map<std::string, std::shared_ptr<Mutex>> turns_ SBX_GUARDED_BY(mutex_);  // by sandbox: who follows it now
  InputThread server_{[this](int line) { serve(line); }};
};

}  // namespace sbx::sandboxes
