// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/scratch.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdlib>
#include <optional>

#include "base/file.h"
#include "base/lock.h"
#include "base/log.h"
#include "idmap/idmap.h"

// The lock is the directory itself, so that there is no moment in which a new one has none that could be taken by a
// sweep: a sweep holds <templates>/lock, and so does the making of a directory until its lock is taken.
namespace sbx::images {
namespace {

constexpr std::string_view kPrefix = "tmp-";

Result<Fd> lock_all(const std::string& templates) {
  TRY_ASSIGN(Fd lock, open_path(templates + "/lock", O_RDWR | O_CREAT));
  TRY(lock_file(lock, templates));
  return lock;
}

void remove(const std::string& path) {
  if (const auto removed = idmap::remove_guest_tree(path); !removed) log_warning("{}", removed.error().what());
}

}  // namespace

Result<std::unique_ptr<Scratch>> Scratch::make(const std::string& templates) {
  TRY(make_directories(templates));
  TRY_ASSIGN(const Fd all, lock_all(templates));
  std::string path = templates + "/" + std::string(kPrefix) + "XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) return fail_errno("make a directory in " + templates);
  // For the guest's root, who unpacks there, too.
  if (::chmod(path.c_str(), 0755) != 0) return fail_errno("open " + path);
  TRY_ASSIGN(Fd lock, open_path(path, O_RDONLY | O_DIRECTORY));
  TRY(lock_file(lock, path));
  return std::unique_ptr<Scratch>(new Scratch(std::move(path), std::move(lock)));
}

Scratch::~Scratch() { remove(path_); }

void sweep(const std::string& templates) {
  if (!exists(templates)) return;
  std::vector<std::string> found;
  for (const std::string& name : names_in(templates))
    if (name.starts_with(kPrefix)) found.push_back(templates + "/" + name);
  if (found.empty()) return;
  const auto all = lock_all(templates);
  if (!all) return;
  for (const std::string& path : found) {
    const auto lock = open_path(path, O_RDONLY | O_DIRECTORY);
    if (!lock) continue;
    const auto abandoned = try_lock_file(*lock, path);
    if (abandoned && *abandoned) remove(path);
  }
}

}  // namespace sbx::images
