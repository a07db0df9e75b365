// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "exchange/exchange.h"
#include "wire/exec.h"
#include "wire/frame.h"

namespace sbx::exchange {

// A command in a sandbox whose standard streams are ours to write and read, instead of the user's. Blocking. What it
// prints on standard error is kept: the last line is the error when it fails.
class ExecStream {
 public:
  explicit ExecStream(Upgraded upgraded)
      : connection_(std::move(upgraded.connection)), buffer_(std::move(upgraded.early)) {}

  // From now on the sandbox may be silent for so long while we wait: then it is kTimeout. Without it, for ever.
  void limit_silence(std::chrono::seconds limit) const;
  Result<> write(std::string_view bytes);
  Result<> end_input();
  // Some bytes of its output, valid until the next call; empty when it has ended.
  Result<std::string_view> read();
  // The same with standard error, as it comes; nothing when it has ended.
  struct Piece {
    bool is_error = false;
    std::string_view bytes;
  };
  Result<std::optional<Piece>> next();
  // The same into a buffer: how many bytes came; 0 when it has ended.
  Result<std::size_t> read(std::span<char> buffer);
  // The whole output, up to its end; kTooLarge beyond the limit.
  Result<std::string> read_all(std::size_t limit);
  // Waits for its end, throwing output away. Fails with what it said if the exit code is not 0.
  Result<> finish();
  // What it has printed on standard error until now; all of it that is kept.
  const std::string& said() const { return said_; }
  // How it ended, once read() has come to the end.
  const std::optional<wire::ExecExit>& exit() const { return exit_; }

 private:
  Result<> send(wire::Kind kind, std::string_view payload);
  Result<wire::Header> next_frame();  // the payload is in payload_
  Result<> fill(std::size_t size, std::string& into);

  Fd connection_;
  std::string buffer_;  // read with the response's head
  std::string payload_;
  std::size_t rest_ = 0;  // bytes at the end of payload_ that did not fit into the last buffer
  std::string said_;
  std::optional<wire::ExecExit> exit_;
};

}  // namespace sbx::exchange
