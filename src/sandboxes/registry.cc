// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/registry.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/file.h"
#include "idmap/bases.h"
#include "store/name.h"

namespace sbx::sandboxes {
namespace {

std::string primary(const std::vector<wire::Mount>& workspaces) {
  return workspaces.empty() ? std::string() : workspaces.front().source;
}

bool same(const store::Record& record, const wire::CreateRequest& request) {
  return record.agent == request.agent && primary(record.workspaces) == primary(request.workspaces);
}

// The default name first, then what was used last.
struct Candidate {
  std::shared_ptr<Sandbox> sandbox;
  std::tuple<bool, std::string, std::string> preference;  // taken once: an exec may change it at any moment
};

Candidate candidate_of(std::shared_ptr<Sandbox> sandbox, const std::string& default_name) {
  std::tuple preference(sandbox->name() == default_name, sandbox->used_at(), sandbox->record().created_at);
  return {std::move(sandbox), std::move(preference)};
}

Failure taken(const std::string& name) {
  return fail(Code::kConflict, "sandbox " + name + " already exists", "sandbox run " + name);
}

Result<> check_reusable(const Sandbox& sandbox, const wire::CreateRequest& request) {
  if (!request.reuse) return taken(sandbox.name());
  const State state = sandbox.state();
  if (std::holds_alternative<Failed>(state)) return sandbox.usable();
  const store::Record record = sandbox.record();
  if (request.agent.empty()) return Ok{};
  if (record.agent != request.agent)
    return fail(Code::kConflict, "sandbox " + record.name + " is for the agent " + record.agent, "sandbox ls");
  if (primary(record.workspaces) != primary(request.workspaces))
    return fail(Code::kConflict, "sandbox " + record.name + " is for the workspace " + primary(record.workspaces),
                "sandbox ls");
  return Ok{};
}

}  // namespace

std::string default_name(const wire::CreateRequest& request, int number) {
  const std::string path = primary(request.workspaces);
  const std::string directory = store::name_from(path.substr(path.find_last_of('/') + 1), store::kLongestName);
  const std::string suffix = number > 1 ? "-" + std::to_string(number) : std::string();
  // One of a name without ASCII still has a name that can be read.
  const std::string fallback = path.empty() ? "sandbox" : "workspace";
  const std::string base = request.agent + "-" + (directory.empty() ? fallback : directory);
  std::string name = store::name_from(base, store::kLongestName - suffix.size());
  if (name.size() < store::kShortestName) name = "sandbox";  // a one-letter agent in a directory with an odd name
  return name + suffix;
}

std::vector<std::shared_ptr<Sandbox>> Registry::all() const {
  const MutexLock lock(mutex_);
  std::vector<std::shared_ptr<Sandbox>> out;
  for (const auto& [name, sandbox] : sandboxes_) out.push_back(sandbox);
  return out;
}

Result<std::shared_ptr<Sandbox>> Registry::find(const std::string& name) const {
  TRY(store::check_name(name));
  const MutexLock lock(mutex_);
  const auto it = sandboxes_.find(name);
  if (it == sandboxes_.end()) return not_found(name);
  return it->second;
}

std::vector<wire::SandboxInfo> Registry::list() const {
  std::vector<wire::SandboxInfo> out;
  for (const auto& sandbox : all()) out.push_back(sandbox->info());
  return out;
}

Result<wire::SandboxInfo> Registry::info(const std::string& name) const {
  TRY_ASSIGN(const auto sandbox, find(name));
  return sandbox->info();
}

Result<Claim> Registry::claim(const wire::CreateRequest& request, const store::Origin& origin) {
  const MutexLock lock(mutex_);
  if (auto made = made_by(origin.key)) {
    if (made->record().origin->digest == origin.digest) return Claim{std::move(made), {}, /*is_repeat=*/true};
    return fail(Code::kConflict, "the key " + origin.key + " was already used to create " + made->name());
  }
  if (!request.name.empty()) return claim_name(request, origin);
  const auto existing = request.reuse ? same_agent_and_workspace(request) : std::vector<std::shared_ptr<Sandbox>>();
  if (existing.empty()) return insert(free_name(request), request, origin);
  Claim claim{existing.front(), {}};
  for (std::size_t i = 1; i < existing.size(); ++i) claim.others.push_back(existing[i]->name());
  return claim;
}

Result<Claim> Registry::claim_name(const wire::CreateRequest& request, const store::Origin& origin) {
  const auto it = sandboxes_.find(request.name);
  if (it == sandboxes_.end() && request.agent.empty()) return not_found(request.name);
  if (it == sandboxes_.end()) return insert(request.name, request, origin);
  TRY(check_reusable(*it->second, request));
  return Claim{it->second, {}};
}

std::shared_ptr<Sandbox> Registry::made_by(const std::string& key) const {
  for (const auto& [name, sandbox] : sandboxes_)
    if (const auto origin = sandbox->record().origin; origin && origin->key == key) return sandbox;
  return nullptr;
}

std::vector<std::shared_ptr<Sandbox>> Registry::same_agent_and_workspace(const wire::CreateRequest& request) const {
  const std::string usual = default_name(request, 1);
  std::vector<Candidate> candidates;
  for (const auto& [name, sandbox] : sandboxes_)
    if (!std::holds_alternative<Failed>(sandbox->state()) && same(sandbox->record(), request))
      candidates.push_back(candidate_of(sandbox, usual));
  std::ranges::stable_sort(candidates, std::ranges::greater(), &Candidate::preference);
  std::vector<std::shared_ptr<Sandbox>> found;
  for (Candidate& candidate : candidates) found.push_back(std::move(candidate.sandbox));
  return found;
}

// Origin, agent and workspaces are there from the first moment on, so that a second, equal request finds it.
Result<Claim> Registry::insert(const std::string& name, const wire::CreateRequest& request,
                               const store::Origin& origin) {
  store::Record record;
  record.origin = origin;
  record.name = name;
  record.agent = request.agent;
  record.workspaces = request.workspaces;
  if (privileged_) {
    TRY_ASSIGN(record.id_base, free_ids());
  }
  auto sandbox = std::make_shared<Sandbox>(StateDirectory(home_, name), std::move(record), Creating{});
  // No other thread knows it yet, so this never waits; try_to_lock, because elsewhere this lock comes before mutex_.
  std::unique_lock operation(sandbox->operation(), std::try_to_lock);
  sandboxes_[name] = sandbox;
  return Claim{std::move(sandbox), std::move(operation)};
}

std::string Registry::free_name(const wire::CreateRequest& request) const {
  for (int number = 1;; ++number) {
    std::string name = default_name(request, number);
    if (!sandboxes_.contains(name) && !exists(home_.machine(name))) return name;
  }
}

Result<std::uint32_t> Registry::free_ids() const {
  std::set<std::uint32_t> used;
  for (const auto& [name, sandbox] : sandboxes_) used.insert(sandbox->record().id_base);
  for (std::uint32_t base = idmap::kFirstBase; idmap::is_base(base); base += idmap::kBaseStep)
    if (!used.contains(base)) return base;
  return fail(Code::kUnavailable, "there are no user ids left for one more sandbox", "sandbox rm");
}

std::shared_ptr<Sandbox> Registry::add(store::Record record, State state) {
  StateDirectory directory(home_, record.name);
  auto sandbox = std::make_shared<Sandbox>(std::move(directory), std::move(record), std::move(state));
  const MutexLock lock(mutex_);
  return sandboxes_[sandbox->name()] = sandbox;
}

void Registry::erase(const Sandbox& sandbox) {
  const MutexLock lock(mutex_);
  const auto it = sandboxes_.find(sandbox.name());
  if (it == sandboxes_.end() || it->second.get() != &sandbox) return;
  it->second->set_state(Gone{});
  sandboxes_.erase(it);
}

}  // namespace sbx::sandboxes
