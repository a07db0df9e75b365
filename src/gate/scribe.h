// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "netlog/record.h"
#include "netlog/writer.h"

namespace sbx::gate {

// Writes the log on a thread of its own, so that a slow disk or a long reader does not hold up the network. What cannot
// be written, or comes faster than it can be, is lost, counted, and said.
class Scribe {
 public:
  explicit Scribe(std::string path);  // of network.db; opened when the first records come
  ~Scribe();                          // writes what it has
  Scribe(const Scribe&) = delete;
  Scribe& operator=(const Scribe&) = delete;

  void write(std::vector<netlog::Record> records);

 private:
  void work();
  void write_down(const std::vector<netlog::Record>& records);

  std::string path_;
  std::optional<netlog::Writer> writer_;  // the thread's
  std::size_t unwritten_ = 0;             // the thread's

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<netlog::Record> records_;
  std::size_t lost_ = 0;
  bool closing_ = false;

  std::thread thread_;
};

}  // namespace sbx::gate
