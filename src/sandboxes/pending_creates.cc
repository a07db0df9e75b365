// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/pending_creates.h"

namespace sbx::sandboxes {
namespace {

Failure was_cancelled() { return fail(Code::kConflict, "it was cancelled"); }

bool is_ready(const std::future<void>& maker) {
  return maker.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

PendingCreates::Create::Create(PendingCreates& all, std::string key) : all_(all), key_(std::move(key)) {
  const MutexLock lock(all_.mutex_);
  all_.pending_[key_] = state_;
}

PendingCreates::Create::~Create() {
  {
    const MutexLock lock(all_.mutex_);
    const auto it = all_.pending_.find(key_);
    if (it != all_.pending_.end() && it->second == state_) all_.pending_.erase(it);
  }
  const MutexLock lock(state_->mutex);
  state_->ended = true;
  state_->changed.notify_all();
}

Result<> PendingCreates::Create::check() const {
  const MutexLock lock(state_->mutex);
  return state_->cancelled ? Result<>(was_cancelled()) : Ok{};
}

Result<images::Template> PendingCreates::Create::await_template(const Make& make, const images::Progress& progress) {
  // It may outlive this create, and then has no one to report to.
  const auto work = [state = state_, make] {
    auto made = make([&state](std::string_view step, std::int64_t done, std::int64_t total) {
      const MutexLock lock(state->mutex);
      if (state->progress != nullptr && *state->progress) (*state->progress)(step, done, total);
    });
    const MutexLock lock(state->mutex);
    state->made = std::move(made);
    state->changed.notify_all();
  };
  MutexLock lock(state_->mutex);
  state_->progress = &progress;
  std::future<void> maker = std::async(std::launch::async, work);
  while (!state_->made && !state_->cancelled) state_->changed.wait(lock);
  state_->progress = nullptr;
  if (!state_->cancelled) {
    auto made = std::move(*state_->made);
    lock.unlock();
    maker.get();
    return made;
  }
  lock.unlock();
  const MutexLock all(all_.mutex_);
  all_.makers_.push_back(std::move(maker));
  return was_cancelled();
}

Result<> PendingCreates::cancel(const std::string& key, std::chrono::milliseconds limit) {
  std::shared_ptr<State> state;
  {
    const MutexLock lock(mutex_);
    const auto it = pending_.find(key);
    if (it == pending_.end()) return fail(Code::kNotFound, "no create with the key " + key + " is under way");
    state = it->second;
  }
  MutexLock lock(state->mutex);
  state->cancelled = true;
  state->changed.notify_all();
  if (state->changed.wait_for(lock, limit, [&]() SBX_REQUIRES(state->mutex) { return state->ended; })) return Ok{};
  return fail(Code::kTimeout, "the create is cancelled, and not yet undone", "sandbox ls");
}

bool PendingCreates::makes_templates() {
  const MutexLock lock(mutex_);
  std::erase_if(makers_, is_ready);
  return !makers_.empty();
}

}  // namespace sbx::sandboxes
