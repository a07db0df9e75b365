// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "netlog/losses.h"
#include "netlog/record.h"
#include "netlog/sqlite.h"
#include "netlog/summary_table.h"
#include "netlog/sums.h"

namespace sbx::netlog {

// The log of one sandbox, for the one process that writes it. Bounded: beyond either of the limits the oldest records
// go, and what they add up to stays (sums.h). It has room on the disk before it needs it (reserve.h), and where there
// is no more, the oldest go likewise.
class Writer {
 public:
  struct Limits {
    std::int64_t records = 100'000;
    std::int64_t bytes = 64 << 20;
    Sums::Limits sums = {};
  };

  // A file that is damaged, or not one of ours, is moved aside (network.db.damaged) and a new one begun.
  static Result<Writer> open(const std::string& path, Limits limits);
  static Result<Writer> open(const std::string& path) { return open(path, Limits{}); }

  // A record that is there already and goes on gets its end: status, bytes, duration and what follows its reason,
  // nothing else, so that what has been written of a decision stays. Fails if not all of them could be written, which
  // are counted then.
  Result<> write(std::span<const Record> records);

  // Counts what was lost on the way here.
  void lose(const Losses& losses);
  // All that the log has ever lost. In the file, too, as soon as it can be written to.
  Losses losses() const;

 private:
  struct File {
    SqliteConnection connection;
    Statement insert;
    Statement finish;
    SummaryTable summaries;
    std::int64_t records = 0;
    Losses losses;          // that it tells of
    bool reserved = false;  // whether it has all the room that it should
  };
  Writer(std::string path, Limits limits, File file);
  static Result<File> open_file(const std::string& path, const Limits& limits);

  Result<> write_what_fits(std::span<const Record> records);
  Result<> write_or_make_room(std::span<const Record> records);
  Result<> write_once(std::span<const Record> records);
  Result<std::int64_t> insert(std::span<const Record> records);
  Result<> forget_oldest(std::int64_t count);
  Result<> forget_once(std::int64_t count);
  Result<> begin_anew();
  void reserve();
  Result<> note_losses();

  std::string path_;
  Limits limits_;
  File file_;
  Losses unnoted_;
};

}  // namespace sbx::netlog
