// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/members.h"
#include "base/result.h"
#include "secrets/secret.h"
#include "wire/secret.h"

namespace sbx::secrets {

// A place between two lines of the log.
struct AuditMark {
  std::int64_t lines = 0;  // before it
  std::string chain;       // of the last of them

  bool operator==(const AuditMark&) const = default;
};

// How far the log goes, kept in the sealed store: a log that ends earlier was cut off, and one that begins later, too.
struct AuditHead : AuditMark {
  AuditMark oldest;   // where the older file begins: lines before it are not kept
  AuditMark current;  // where audit.log begins
};
void describe(Members& members, AuditMark& mark);
void describe(Members& members, AuditHead& head);

inline constexpr std::int64_t kLargestAuditFile = 8 << 20;

// audit.log: a line of JSON for each use of a secret, appended and never rewritten. Each ends with a "chain": a keyed
// hash of the line and of the chain before it, which can be made only with the store's key. So a line that is changed,
// taken out or put in is found, and with the head a log that was cut off.
//
// A file that has grown large becomes audit.log.1, in the place of the one before, whose lines are given up. The head
// says so first, and the file is renamed then: after a crash in between, finish_rotation() renames it.
class AuditLog {
 public:
  AuditLog(std::string path, Secret key, std::int64_t largest = kLargestAuditFile)
      : path_(std::move(path)), key_(std::move(key)), largest_(largest) {}

  // The lines for these entries, which get their numbers, and the head after them. Nothing is written yet.
  std::string lines_for(std::vector<wire::AuditEntry> entries, AuditHead& head) const;
  // Whole and synced, or nothing of it.
  Result<> append(const std::string& lines) const;

  // Whether the file is large, and the head as it is to be kept then, before finish_rotation().
  bool is_large() const;
  static void begin_rotation(AuditHead& head);
  // Renames the file if the head says so. Nothing happens otherwise.
  Result<> finish_rotation(const AuditHead& head) const;

  // The last so many, oldest first; 0: all.
  Result<wire::AuditTail> tail(std::size_t count) const;
  wire::AuditReport verify(const AuditHead& head) const;
  // A daemon that died between append() and keeping the head has left lines behind it that are its own: the head after
  // them. Others are left for verify() to find.
  AuditHead caught_up(AuditHead head) const;

 private:
  std::string older() const { return path_ + ".1"; }
  bool begins_at(const AuditMark& mark) const;
  // Each line of both files, oldest first, until `see` returns false.
  void for_each_line(const std::function<bool(std::string)>& see) const;
  std::string chain_of(const std::string& before, std::string_view entry) const;

  std::string path_;
  Secret key_;
  std::int64_t largest_;
};

}  // namespace sbx::secrets
