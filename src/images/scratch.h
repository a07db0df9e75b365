// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace sbx::images {

// A directory for something that is being made beside the templates: <templates>/tmp-XXXXXX. It is removed with the
// object; that of a process that was killed, by sweep().
class Scratch {
 public:
  static Result<std::unique_ptr<Scratch>> make(const std::string& templates);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& path() const { return path_; }
  // To be held by each process that writes there.
  const Fd& lock() const { return lock_; }

 private:
  Scratch(std::string path, Fd lock) : path_(std::move(path)), lock_(std::move(lock)) {}

  std::string path_;
  Fd lock_;
};

// Removes those that belong to no living process.
void sweep(const std::string& templates);

}  // namespace sbx::images
