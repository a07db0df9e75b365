// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "base/fd.h"
#include "base/result.h"
#include "guest/network/acceptor.h"
#include "guest/network/name_table.h"
#include "loop/loop.h"
#include "streams/stream.h"
#include "wire/network.h"

namespace sbx::guest {

// Takes the connections that the kernel redirects to us (guest/network/redirect.h), and finds out where each was going.
class Capture {
 public:
  using OnCaptured = std::function<void(const wire::Connect& wanted, std::unique_ptr<streams::Stream> program)>;

  Capture(loop::Loop& loop, NameTable& names, OnCaptured on_captured);

  Result<> start();

 private:
  void take(Fd socket);
  std::optional<wire::Connect> target(const Fd& socket);

  loop::Loop& loop_;
  NameTable& names_;
  OnCaptured on_captured_;
  Acceptor acceptor_;
};

}  // namespace sbx::guest
