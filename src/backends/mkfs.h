// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

// How the images of machines are made by the programs of others.
namespace sbx::backends {

// After what a file that is there is sure to be whole.
enum class Survives { kKill, kPowerCut };

// Makes the file `path` unless it is there: `fill` writes to <path>.tmp, empty and open as `file`, which is then
// synced, where it shall survive a power cut, and renamed. Of several callers, in whatever process, one makes it and
// the others wait. When it fails nothing is left; what a killed one leaves is not taken for whole, and is overwritten
// by the next.
using Fill = std::function<Result<>(const Fd& file, const std::string& temporary)>;
Result<> make_once(const std::string& path, unsigned mode, const Fill& fill, Survives what = Survives::kPowerCut);

// Whom a program that makes a file system runs as: the guest's root sees every file of the guest's, owned as there.
enum class As { kOurselves, kGuestRoot };

struct Mkfs {
  std::vector<std::string> argv;
  std::string package;  // has the program
  As who = As::kOurselves;
  std::function<int()> before_exec{};  // as in base/child.h
};

// Runs it to its end; the error is in one line what it said. It holds make_once's lock with `file` for as long as it
// lives, even when we are killed.
Result<> run_mkfs(const Mkfs& mkfs, const Fd& file);

}  // namespace sbx::backends
