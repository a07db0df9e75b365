// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "netlog/record.h"
#include "netlog/sqlite.h"

namespace sbx::netlog {

// The log of one sandbox, for the one process that writes it. Bounded: beyond either of the limits the oldest records
// go.
class Writer {
 public:
  struct Limits {
    std::int64_t records = 100'000;
    std::int64_t bytes = 64 << 20;
  };

  // A file that is damaged, or not one of ours, is moved aside (network.db.damaged) and a new one begun.
  static Result<Writer> open(const std::string& path, Limits limits);
  static Result<Writer> open(const std::string& path) { return open(path, Limits{}); }

  // All of them or none. A record that is there already and goes on gets its end: status, bytes, duration and what
  // follows its reason, nothing else, so that what has been written of a decision stays.
  Result<> write(std::span<const Record> records);

 private:
  Writer(std::string path, Limits limits, Connection connection);
  static Result<Connection> open_file(const std::string& path, const Limits& limits);
  Result<> write_once(std::span<const Record> records);
  Result<> insert(std::span<const Record> records);
  Result<> forget_all_but(std::int64_t kept);
  Result<> make_room();
  Result<> begin_anew();

  std::string path_;
  Limits limits_;
  Connection connection_;
  std::int64_t unlooked_ = 0;  // records written since the number of all was looked at
};

}  // namespace sbx::netlog
