// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include <initializer_list>
#include <optional>

#include "base/fd.h"
#include "base/result.h"

namespace sbx::cli {

// Takes signals as values instead of interruptions, for as long as it lives. A signal that our caller has us ignore
// (nohup) stays ignored. Make it before any thread is started, which inherits the blocked set.
class SignalReader {
 public:
  static Result<SignalReader> take(std::initializer_list<int> numbers);
  SignalReader(SignalReader&& other) noexcept;
  SignalReader& operator=(SignalReader&&) = delete;
  ~SignalReader();

  const Fd& fd() const { return fd_; }  // readable when there is one
  std::optional<int> next();            // nothing: none is waiting

 private:
  SignalReader(Fd fd, const sigset_t& before) : fd_(std::move(fd)), before_(before) {}

  Fd fd_;
  sigset_t before_;
};

// A signal that does nothing for as long as this lives.
class IgnoredSignal {
 public:
  explicit IgnoredSignal(int number);
  ~IgnoredSignal();
  IgnoredSignal(const IgnoredSignal&) = delete;
  IgnoredSignal& operator=(const IgnoredSignal&) = delete;

 private:
  int number_;
  struct sigaction before_ {};
};

}  // namespace sbx::cli
