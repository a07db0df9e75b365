// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/json.h"
#include "base/result.h"

namespace sbx::sandboxes {

// A socket of the shim's or its gate's that takes one request message a connection. kUnavailable: nobody is there, or
// it went away before it answered; anything else is the other side's own answer.
class ControlSocket {
 public:
  explicit ControlSocket(std::string path) : path_(std::move(path)) {}

  // The connection on which the answer comes, within `limit`.
  Result<Fd> send(const Json& request, std::chrono::milliseconds limit, const std::vector<int>& fds = {}) const;
  Result<Json> ask(const Json& request, std::chrono::milliseconds limit, const std::vector<int>& fds = {}) const;

 private:
  std::string path_;
};

}  // namespace sbx::sandboxes
