// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/home.h"
#include "base/result.h"
#include "store/record.h"

namespace sbx::store {

// The records in one home. It keeps nothing in memory; any thread may call it, and the caller sees to it that no two
// write the same sandbox at once. Names have been checked by the caller.
class Store {
 public:
  explicit Store(Home home) : home_(std::move(home)) {}

  // Every directory in vm/ whose name is a sandbox's, with or without a record.
  Result<std::vector<std::string>> names() const;

  // kNotFound: there is no metadata.json. Anything else that is wrong with it (truncated, unreadable, of another
  // version or another sandbox, with a value that is none of ours) is an error that names the file; nothing is changed.
  Result<Record> load(const std::string& name) const;

  // Makes vm/<name>. kConflict: it is there. Of several callers, also in other processes, one wins.
  Result<> reserve(const std::string& name) const;

  // sketch() is for a sandbox that is still being made: a power cut may take it. save() is for good.
  Result<> sketch(const Record& record) const;
  Result<> save(const Record& record) const;
  // As save(), but on a full disk in the place of the old record, which needs no new block. What a crash in the middle
  // would leave is a record that cannot be read, and such a sandbox can be removed too.
  Result<> save_removing(const Record& record) const;
  Result<> forget(const std::string& name) const;  // the record only

  LastRun last_run(const std::string& name) const;  // an empty one if there is none
  void note(const std::string& name, const LastRun& run) const;

  const Home& home() const { return home_; }
  std::string path(const std::string& name) const { return home_.machine(name) + "/metadata.json"; }  // the record's

 private:
  std::string run_path(const std::string& name) const { return home_.machine(name) + "/last_run.json"; }

  Home home_;
};

}  // namespace sbx::store
