// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sbx::secrets {

// The new content of a file, on the disk beside it (0600, synced), until put_in_place() renames it there. Dropped
// without that, it leaves nothing: all that a full disk can refuse has happened by then, and what was there is there.
class Replacement {
 public:
  static Result<Replacement> prepare(const std::string& path, std::string_view content);
  Replacement(Replacement&& other) noexcept;
  Replacement& operator=(Replacement&&) = delete;
  ~Replacement();

  Result<> put_in_place() &&;

 private:
  Replacement(std::string path, std::string prepared) : path_(std::move(path)), prepared_(std::move(prepared)) {}

  std::string path_;
  std::string prepared_;  // empty: it is in place
};

}  // namespace sbx::secrets
