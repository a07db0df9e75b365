// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "cli/client/client.h"
#include "exchange/exec_stream.h"
#include "wire/exec.h"

namespace sbx::cli::mcp {

// A command in a sandbox. A thread of its own sends and reads, so that neither a command that does not read its input
// nor one that prints nothing keeps a caller waiting. Of its output the last `most_kept` bytes can be read, as often
// as wanted, by position: bytes are counted from 0, those of both streams together, as they came; fewer are kept of a
// command that changes between its streams more than kMostPieces times. Thread-safe.
//   TRY_ASSIGN(const auto job, ExecJob::start(client, "box", request, 64u << 10));
//   job->wait_for_end(deadline, stop);
//   const ExecJob::Output all = job->output_since(0);
class ExecJob {
 public:
  using Deadline = std::chrono::steady_clock::time_point;
  // Sends a signal to a process group in the sandbox by another way than the command's connection.
  using Kill = std::function<Result<>(std::int64_t group, int number)>;
  static constexpr std::size_t kMostWaiting = 16u << 20;  // of its input
  static constexpr std::size_t kMostPieces = 4096;        // of its output

  static Result<std::shared_ptr<ExecJob>> start(const Client& client, const std::string& sandbox,
                                                const wire::ExecRequest& request, std::size_t most_kept);
  ExecJob(exchange::ExecStream stream, Fd wake, std::string sandbox, std::size_t most_kept, Kill kill);
  ~ExecJob();  // the command is killed if it runs

  // Input is sent as the command takes it. kConflict: it has ended, or does not take what waits already.
  Result<> write(std::string_view bytes);
  Result<> end_input();
  // Until all input has been sent, or the command has ended, or the call is cancelled.
  void wait_until_sent(std::stop_token stop);
  // To its process group. It overtakes input that the command does not read.
  Result<> signal(int number);

  struct Output {
    std::string out;
    std::string err;
    std::int64_t next = 0;  // position after it
    std::int64_t lost = 0;  // bytes since the position that are kept no more
  };
  Output output_since(std::int64_t position) const;
  // Until it has ended, or has more output than up to `position`, or the time is over, or the call is cancelled.
  void wait_for_more(std::int64_t position, Deadline deadline, std::stop_token stop);
  // False: it still runs.
  bool wait_for_end(Deadline deadline, std::stop_token stop);

  // How it ended; nothing while it runs. An error: it is not known, for instance because the sandbox was stopped.
  std::optional<Result<wire::ExecExit>> end() const;
  const std::string& sandbox() const { return sandbox_; }

 private:
  struct Piece {
    bool is_error;
    std::int64_t at;
    std::string bytes;
  };
  void work();
  bool send_waiting();
  void take_output();
  void take_end(Result<wire::ExecExit> end);
  void keep(const exchange::ExecStream::Piece& piece);
  void drop_oldest(std::size_t bytes);
  bool is_all_sent() const { return input_.empty() && !is_sending_; }

  exchange::ExecStream stream_;  // the worker's alone
  const Fd wake_;                // an eventfd: there is something to send
  const std::string sandbox_;
  const std::size_t most_kept_;
  const Kill kill_;
  mutable std::mutex mutex_;  // for what follows
  std::condition_variable_any changed_;
  std::deque<std::string> input_;  // pieces; an empty one is its end
  std::size_t waiting_ = 0;        // bytes in input_
  std::vector<int> signals_;
  bool is_sending_ = false;  // the stream has something that its connection does not take
  bool is_over_ = false;     // we are being destroyed
  std::int64_t pid_ = 0;
  std::deque<Piece> pieces_;
  std::size_t kept_ = 0;
  std::int64_t position_ = 0;
  std::optional<Result<wire::ExecExit>> end_;
  std::thread worker_;  // the last to be made
};

}  // namespace sbx::cli::mcp
