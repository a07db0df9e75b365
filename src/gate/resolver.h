// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/fd.h"
#include "base/mutex.h"
#include "base/result.h"
#include "loop/lifeline.h"
#include "loop/loop.h"
#include "policy/address.h"

namespace sbx::gate {

using Addresses = std::vector<policy::Address>;

// What the host itself would reach by this name, and by nothing but this name: no search domain is put behind it.
// Blocks.
Result<Addresses> look_up(const std::string& name);

// Asks for names on a few threads, because the system's resolver blocks: a name that is never answered holds up one of
// them and not the loop. Lives on the loop's thread; its threads touch nothing but the two queues.
class Resolver {
 public:
  using LookUp = std::function<Result<Addresses>(const std::string& name)>;
  using OnAnswer = std::function<void(const Result<Addresses>& addresses)>;
  using Question = std::uint64_t;

  static Result<std::unique_ptr<Resolver>> create(loop::Loop& loop, LookUp look_up);
  ~Resolver();  // waits for names that are being asked for
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;

  // Calls back once, never from inside this call, with kTimeout after kLookUpLimit. Who asks for a name that is being
  // asked for gets the same answer.
  Question ask(const std::string& name, OnAnswer done);
  void forget(Question question);

 private:
  struct Answered {
    std::string name;
    Result<Addresses> addresses;
  };
  struct Waiting {
    std::string name;
    OnAnswer done;
    loop::Loop::Timer limit;
  };

  Resolver(loop::Loop& loop, LookUp look_up, Fd wake_up);
  void work();
  void answered();
  void answer(Question question, const Result<Addresses>& addresses);
  bool enqueue(const std::string& name);

  loop::Loop& loop_;
  LookUp look_up_;
  Fd wake_up_;
  std::map<Question, Waiting> waiting_;
  Question next_ = 1;
  loop::Lifeline lifeline_;

  Mutex mutex_;
  Condition changed_;
  std::deque<std::string> asked_ SBX_GUARDED_BY(mutex_);
  std::set<std::string> under_way_ SBX_GUARDED_BY(mutex_);  // asked for and not answered
  std::vector<Answered> answers_ SBX_GUARDED_BY(mutex_);
  bool closing_ SBX_GUARDED_BY(mutex_) = false;

  std::vector<std::thread> threads_;
};

}  // namespace sbx::gate
