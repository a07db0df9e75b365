// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/members.h"
#include "base/result.h"
#include "secrets/secret.h"
#include "wire/secret.h"

namespace sbx::secrets {

// How far the log goes, kept in the sealed store: a log that ends earlier was cut off.
struct AuditHead {
  std::int64_t lines = 0;
  std::string chain;  // of the last line
};
void describe(Members& members, AuditHead& head);

// audit.log: a line of JSON for each use of a secret, appended and never rewritten. Each ends with a "chain": a keyed
// hash of the line and of the chain before it, which can be made only with the store's key. So a line that is changed,
// taken out or put in is found, and with the head a log that was cut off.
class AuditLog {
 public:
  AuditLog(std::string path, Secret key) : path_(std::move(path)), key_(std::move(key)) {}

  // The lines for these entries, which get their numbers, and the head after them. Nothing is written yet.
  std::string lines_for(std::vector<wire::AuditEntry> entries, AuditHead& head) const;
  // Whole and synced, or nothing of it.
  Result<> append(const std::string& lines) const;

  // The last so many, oldest first; 0: all.
  Result<wire::AuditTail> tail(std::size_t count) const;
  wire::AuditReport verify(const AuditHead& head) const;
  // A daemon that died between append() and keeping the head has left lines behind it that are its own: the head after
  // them. Others are left for verify() to find.
  AuditHead caught_up(AuditHead head) const;

 private:
  std::string chain_of(const std::string& before, std::string_view entry) const;

  std::string path_;
  Secret key_;
};

}  // namespace sbx::secrets
