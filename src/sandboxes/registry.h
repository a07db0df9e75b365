// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/home.h"
#include "base/mutex.h"
#include "base/result.h"
#include "sandboxes/sandbox.h"
#include "wire/sandbox.h"

namespace sbx::sandboxes {

// The answer to "I want to create this": a place of one's own, or the sandbox that is it already.
struct Claim {
  std::shared_ptr<Sandbox> sandbox;
  std::unique_lock<std::mutex> operation;  // held if the sandbox is new, so that others wait until it is whole
  bool is_repeat = false;                  // the same request has made it
  std::vector<std::string> others = {};    // that could have been meant as well
};

// Which sandboxes there are. Its lock is held for map operations only.
class Registry {
 public:
  // A directory in the home's vm/ that is not registered keeps its name from being picked.
  Registry(Home home, bool privileged) : home_(std::move(home)), privileged_(privileged) {}

  std::vector<std::shared_ptr<Sandbox>> all() const;
  Result<std::shared_ptr<Sandbox>> find(const std::string& name) const;
  std::vector<wire::SandboxInfo> list() const;
  Result<wire::SandboxInfo> info(const std::string& name) const;

  // For a request whose mounts and names have been checked. A new sandbox is in the state Creating and its record holds
  // the origin, the name, the agent, the workspaces and, as root, the lowest free range of ids. A request whose key has
  // made a sandbox gets that one. Of several that a request may reuse it is the one with the default name, or else the
  // one that was used last. kConflict: the name is taken, or the key was another request's.
  Result<Claim> claim(const wire::CreateRequest& request, const store::Origin& origin);

  std::shared_ptr<Sandbox> add(store::Record record, State state);
  void erase(const Sandbox& sandbox);  // and make it Gone for those who still hold it

 private:
  std::shared_ptr<Sandbox> made_by(const std::string& key) const SBX_REQUIRES(mutex_);
  std::vector<std::shared_ptr<Sandbox>> same_agent_and_workspace(const wire::CreateRequest& request) const
      SBX_REQUIRES(mutex_);
  Result<Claim> claim_name(const wire::CreateRequest& request, const store::Origin& origin) SBX_REQUIRES(mutex_);
  Result<Claim> insert(const std::string& name, const wire::CreateRequest& request, const store::Origin& origin)
      SBX_REQUIRES(mutex_);
  std::string free_name(const wire::CreateRequest& request) const SBX_REQUIRES(mutex_);
  Result<std::uint32_t> free_ids() const SBX_REQUIRES(mutex_);

  const Home home_;
  const bool privileged_;
  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<Sandbox>> sandboxes_ SBX_GUARDED_BY(mutex_);
};

// <agent>-<directory>, made to fit; the number is appended from 2 on.
std::string default_name(const wire::CreateRequest& request, int number);

}  // namespace sbx::sandboxes
