// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "base/fd.h"
#include "base/result.h"
#include "loop/loop.h"

namespace sbx::guest {

// Takes connections to one port of all addresses. When init runs out of descriptors it waits a moment and does not
// spin: clients wait in the kernel's queue.
class Acceptor {
 public:
  using OnSocket = std::function<void(Fd socket)>;  // does not block

  Acceptor(loop::Loop& loop, OnSocket on_socket) : loop_(loop), on_socket_(std::move(on_socket)) {}
  ~Acceptor();
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  Result<> start(std::uint16_t port);
  void serve(Fd listener);  // which listens, and does not block

 private:
  void accept_some();
  void rest();

  loop::Loop& loop_;
  OnSocket on_socket_;
  Fd listener_;
  loop::Loop::Timer resting_;
};

}  // namespace sbx::guest
