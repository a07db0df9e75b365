// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/fd.h"
#include "base/mutex.h"
#include "base/result.h"
#include "loop/loop.h"
#include "netlog/losses.h"
#include "netlog/record.h"
#include "netlog/writer.h"

namespace sbx::gate {

// Writes the log on a thread of its own, so that a slow disk or a long reader does not hold up the network. What cannot
// be written, or comes faster than it can be, is lost and counted, and the log tells how much that is.
class Scribe {
 public:
  // `path` of network.db, which is opened when the first records come, but not before the other end of `made` is closed
  // (log_maker.h), if there is one.
  static Result<std::unique_ptr<Scribe>> create(loop::Loop& loop, std::string path, Fd made = {});
  ~Scribe();  // writes what it has
  Scribe(const Scribe&) = delete;
  Scribe& operator=(const Scribe&) = delete;

  void write(std::vector<netlog::Record> records);
  // Counts what was lost on the way here.
  void lose(const netlog::Losses& losses);
  // All that this log has lost since it was begun.
  netlog::Losses losses() const;
  // Calls, on the loop, when all that write() was given until now is in the file, or lost.
  void when_written(std::function<void()> done);

 private:
  struct Waiting {
    std::uint64_t batch;
    std::function<void()> done;
  };
  Scribe(loop::Loop& loop, std::string path, Fd wake_up, Fd made);
  void written();
  void work();
  void await_maker();
  Result<> open();
  netlog::Losses write_down(const std::vector<netlog::Record>& records, const netlog::Losses& dropped);
  void say(const Result<>& written);

  loop::Loop& loop_;
  Fd wake_up_;
  std::vector<Waiting> waiting_;
  std::string path_;
  Fd made_;                               // the thread's
  std::optional<netlog::Writer> writer_;  // the thread's
  netlog::Losses homeless_;               // the thread's: lost while there is no writer
  bool failing_ = false;                  // the thread's

  mutable Mutex mutex_;
  Condition changed_;
  std::vector<netlog::Record> records_ SBX_GUARDED_BY(mutex_);
  netlog::Losses dropped_ SBX_GUARDED_BY(mutex_);        // the thread has not heard of them
  netlog::Losses known_ SBX_GUARDED_BY(mutex_);          // and of these it has
  std::uint64_t last_batch_ SBX_GUARDED_BY(mutex_) = 0;  // that was given
  std::uint64_t done_batch_ SBX_GUARDED_BY(mutex_) = 0;  // that was dealt with
  bool closing_ SBX_GUARDED_BY(mutex_) = false;

  std::thread thread_;
};

}  // namespace sbx::gate
