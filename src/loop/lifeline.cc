// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "loop/lifeline.h"

#include <utility>

namespace sbx::loop {

// Not in the header, where g++ 12 sees the pointer stay and not that it goes.
Lifeline::Witness::Witness(Lifeline& of) : of_(&of), before_(of.newest_) { of.newest_ = this; }

Lifeline::Witness::~Witness() {
  if (of_ != nullptr) of_->newest_ = before_;
}

void Lifeline::later(Loop::OnTime call) {
  ++put_off_;
  loop_.later_.push_back({this, std::move(call)});
}

void Lifeline::after(std::chrono::milliseconds delay, Loop::OnTime call) {
  ++put_off_;
  loop_.add_timer(delay, {this, std::move(call)}).let_go();
}

// Called off and not erased, because what a call holds may have a lifeline of its own.
Lifeline::~Lifeline() {
  for (Witness* witness = newest_; witness != nullptr; witness = witness->before_) witness->of_ = nullptr;
  if (put_off_ == 0) return;
  for (Loop::Deferred& each : loop_.later_) each.called_off |= each.owner == this;
  for (auto& [due, each] : loop_.timers_) each.called_off |= each.owner == this;
}

}  // namespace sbx::loop
