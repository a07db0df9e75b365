// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "base/result.h"
#include "images/templates.h"

namespace sbx::sandboxes {

// The creates that are under way, by the keys of their requests, so that a client can cancel its own.
class PendingCreates {
 public:
  using Make = std::function<Result<images::Template>(const images::Progress&)>;

 private:
  struct State {
    Mutex mutex;
    Condition changed;
    bool cancelled SBX_GUARDED_BY(mutex) = false;
    bool ended SBX_GUARDED_BY(mutex) = false;                              // and undone, if it was cancelled
    const images::Progress* progress SBX_GUARDED_BY(mutex) = nullptr;      // while it waits for its template
    std::optional<Result<images::Template>> made SBX_GUARDED_BY(mutex){};  // its template
  };

 public:
  // One create, from its first step to its last.
  class Create {
   public:
    Create(PendingCreates& all, std::string key);
    Create(const Create&) = delete;
    Create& operator=(const Create&) = delete;
    ~Create();

    // kConflict if it has been cancelled: for between two steps.
    Result<> check() const;
    // What `make` gives, or kConflict as soon as it is cancelled. A template that is being made then is made to its end
    // and kept: others may wait for it, and the next create will want it.
    Result<images::Template> await_template(const Make& make, const images::Progress& progress);

   private:
    PendingCreates& all_;
    const std::string key_;
    const std::shared_ptr<State> state_ = std::make_shared<State>();
  };

  // Returns when the create has ended. kNotFound: no such create is under way.
  Result<> cancel(const std::string& key, std::chrono::milliseconds limit);
  // Templates of creates that were cancelled. The destructor waits for them.
  bool makes_templates();

 private:
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<State>> pending_ SBX_GUARDED_BY(mutex_);
  std::list<std::future<void>> makers_ SBX_GUARDED_BY(mutex_);
};

}  // namespace sbx::sandboxes
