// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/fd.h"
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

  // Reads and writes fail with kTimeout from then on, however much the sandbox says meanwhile: a limit for the time
  // between two bytes would let a hostile guest take for ever, a byte at a time. Without a deadline they may.
  //   stream.give_up_at(steady_now() + std::chrono::seconds(10));
  void give_up_at(SteadyTime deadline) { deadline_ = deadline; }
  Result<> write(std::string_view bytes);
  Result<> end_input();
  // Input without waiting for one who does not read it: an empty piece is its end. While one is_sending, no other.
  void offer(std::string_view piece);
  bool is_sending() const { return !unsent_.empty(); }
  void offer_signal(int number);
  // To the command's whole process group; after what was offered.
  Result<> signal(int number);
  // Ends the connection, from any thread: a read that waits gets an error.
  void abort() const;
  // The connection once more, for one who is to end it (shutdown) and does not have this object.
  Result<Fd> handle() const { return duplicate(connection_); }
  // Whether step() has something to read, or comes to an end, in this time.
  Result<bool> wait(std::chrono::milliseconds limit) const;
  // The same, while what was offered is sent; or until `input`, if there is one, has something to offer.
  struct Ready {
    bool output = false;
    bool input = false;
  };
  Result<Ready> wait(std::chrono::milliseconds limit, const Fd* input);
  // Some bytes of its output, valid until the next call; empty when it has ended.
  Result<std::string_view> read();
  // The same with standard error, as it comes; nothing when it has ended.
  struct Piece {
    bool is_error = false;
    std::string_view bytes;
  };
  Result<std::optional<Piece>> next();
  // The same of one frame, which may be none of output: then there are no bytes. For those who wait() first.
  Result<std::optional<Piece>> step();
  // The same into a buffer: how many bytes came; 0 when it has ended.
  Result<std::size_t> read(std::span<char> buffer);
  // The whole output, up to its end; kTooLarge beyond the limit.
  Result<std::string> read_all(std::size_t limit);
  // Waits for its end, throwing output away. Fails with what it said if the exit code is not 0.
  Result<> finish();
  // What it has printed on standard error until now; all of it that is kept.
  const std::string& said() const { return said_; }
  // Of its first process, which leads its group; 0 until a step() has read it. The guest's word.
  std::int64_t pid() const { return pid_; }
  // How it ended, once read() has come to the end.
  const std::optional<wire::ExecExit>& exit() const { return exit_; }

 private:
  Result<> send(wire::Kind kind, std::string_view payload);
  Result<> send_whole(std::string_view bytes);
  Result<> await(short events) const;
  void send_some();
  Result<wire::Header> next_frame();  // the payload is in payload_
  Result<> fill(std::size_t size, std::string& into);

  Fd connection_;
  SteadyTime deadline_ = SteadyTime::max();
  std::string unsent_;  // frames, the first perhaps in part
  std::string buffer_;  // read with the response's head
  std::string payload_;
  std::size_t rest_ = 0;  // bytes at the end of payload_ that did not fit into the last buffer
  std::string said_;
  std::int64_t pid_ = 0;
  std::optional<wire::ExecExit> exit_;
};

}  // namespace sbx::exchange
