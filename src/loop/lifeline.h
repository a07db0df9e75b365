// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>

#include "loop/loop.h"

namespace sbx::loop {

// A member of an object that may be destroyed before a call that was put off is made, against use-after-free:
//
//   lifeline_.later([this] { deliver(); });    // never called if *this is destroyed before
//
//   const Lifeline::Witness witness(lifeline_);
//   listener_->received(bytes);                // may destroy *this
//   if (witness.gone()) return;
class Lifeline {
 public:
  explicit Lifeline(Loop& loop) : loop_(loop) {}
  ~Lifeline();
  Lifeline(const Lifeline&) = delete;
  Lifeline& operator=(const Lifeline&) = delete;

  // As those of the loop.
  void later(Loop::OnTime call);
  void after(std::chrono::milliseconds delay, Loop::OnTime call);

  // On the stack, around a call that may end the life of the object. They may be nested.
  class Witness {
   public:
    explicit Witness(Lifeline& of);
    ~Witness();
    Witness(const Witness&) = delete;
    Witness& operator=(const Witness&) = delete;

    bool gone() const { return of_ == nullptr; }

   private:
    friend class Lifeline;
    Lifeline* of_;
    Witness* before_;
  };

 private:
  friend class Loop;
  void called() { --put_off_; }

  Loop& loop_;
  std::size_t put_off_ = 0;  // calls that have not been made
  Witness* newest_ = nullptr;
};

}  // namespace sbx::loop
