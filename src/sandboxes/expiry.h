// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <thread>

#include "base/clock.h"
#include "sandboxes/events.h"
#include "sandboxes/lifecycle.h"
#include "sandboxes/parts.h"
#include "sandboxes/registry.h"
#include "sandboxes/removal.h"

namespace sbx::sandboxes {

// Keeps the promises of --ttl and --idle-stop: a thread that sleeps until the next of them is due. What is due while no
// daemon runs is done by the next one, once watch() is called.
//
// Idle is a sandbox in which nothing that `run` or `exec` started runs, whose docker.sock has no client, and that was
// not used since.
class Expiry {
 public:
  Expiry(const Parts& parts, const Registry& registry, Lifecycle& lifecycle, Removal& removal, Events& events)
      : parts_(parts), registry_(registry), lifecycle_(lifecycle), removal_(removal), events_(events) {}
  ~Expiry();

  void watch();

  // One round: does what is due at `time`, and says when to look again.
  WallTime enforce(WallTime time);

 private:
  WallTime enforce_on(Sandbox& sandbox, const store::Record& record, WallTime time);
  WallTime stop_if_idle(Sandbox& sandbox, std::chrono::seconds limit, WallTime time);
  void run();

  const Parts& parts_;
  const Registry& registry_;
  Lifecycle& lifecycle_;
  Removal& removal_;
  Events& events_;
  std::map<std::string, WallTime> busy_;  // by id: when something was last seen to run in it
  std::atomic<bool> ending_ = false;
  std::jthread thread_;
};

}  // namespace sbx::sandboxes
