// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/operation.h"
#include "base/result.h"

namespace sbx::sandboxes {

// A socket of the shim's or its gate's that takes one request message a connection. kUnavailable: no process serves it,
// or it went away before it answered; kUnsupported: the sandbox was started by an older version; anything else is the
// other side's own answer.
class ControlSocket {
 public:
  explicit ControlSocket(std::string path) : path_(std::move(path)) {}

  // The connection on which the answer comes, within `limit`.
  Result<Fd> send(const Json& request, std::chrono::milliseconds limit, const std::vector<int>& fds = {}) const;
  Result<Json> ask(const Json& request, std::chrono::milliseconds limit, const std::vector<int>& fds = {}) const;
  template <Described Answer, Operation Op>
  Result<Answer> ask_for(const Op& operation, std::chrono::milliseconds limit) const {
    TRY_ASSIGN(const Json answer, ask(request_of(operation), limit));
    return value_of<Answer>(answer, Op::kOp, Unknown::kIgnored);
  }

 private:
  std::string path_;
};

}  // namespace sbx::sandboxes
