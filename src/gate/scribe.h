// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "loop/loop.h"
#include "netlog/record.h"
#include "netlog/writer.h"

namespace sbx::gate {

// Writes the log on a thread of its own, so that a slow disk or a long reader does not hold up the network. What cannot
// be written, or comes faster than it can be, is lost, counted, and said.
class Scribe {
 public:
  // `path` of network.db, which is opened when the first records come.
  static Result<std::unique_ptr<Scribe>> create(loop::Loop& loop, std::string path);
  ~Scribe();  // writes what it has
  Scribe(const Scribe&) = delete;
  Scribe& operator=(const Scribe&) = delete;

  void write(std::vector<netlog::Record> records);
  // Calls, on the loop, when all that write() was given until now is in the file, or lost.
  void when_written(std::function<void()> done);

 private:
  struct Waiting {
    std::uint64_t batch;
    std::function<void()> done;
  };
  Scribe(loop::Loop& loop, std::string path, Fd wake_up);
  void written();
  void work();
  void write_down(const std::vector<netlog::Record>& records);

  loop::Loop& loop_;
  Fd wake_up_;
  std::vector<Waiting> waiting_;
  std::string path_;
  std::optional<netlog::Writer> writer_;  // the thread's
  std::size_t unwritten_ = 0;             // the thread's

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<netlog::Record> records_;
  std::size_t lost_ = 0;
  std::uint64_t last_batch_ = 0;  // that was given
  std::uint64_t done_batch_ = 0;  // that was dealt with
  bool closing_ = false;

  std::thread thread_;
};

}  // namespace sbx::gate
