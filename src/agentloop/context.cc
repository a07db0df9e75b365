// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/context.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/format.h"
#include "base/lock.h"
#include "base/text.h"

namespace sbx::agentloop {
namespace {

constexpr const char* kHeading = "# Ralph Loop Context\n";
constexpr std::size_t kLargestContext = 1u << 20;

// A lock of its own, because the file itself is moved away under those who wait for it.
Result<Fd> lock_context(const std::string& path) {
  TRY_ASSIGN(Fd lock, open_path(path + ".lock", O_RDWR | O_CREAT | O_NOFOLLOW));
  TRY(lock_file(lock, path));
  return lock;
}

}  // namespace

Result<> add_context(const std::string& path, std::string_view text) {
  TRY_ASSIGN(const Fd lock, lock_context(path));
  TRY_ASSIGN(const Fd file, open_path(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW));
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return fail_errno("look at " + path);
  if (static_cast<std::size_t>(status.st_size) + text.size() > kLargestContext)
    return fail(Code::kTooLarge, "more than 1 MiB of context waits for the next iteration");
  return write_all(file, sbx::format("{}\n## Context added at {}\n{}\n", status.st_size == 0 ? kHeading : "",
                                     rfc3339(now()), trimmed(text)));
}

Result<std::string> take_context(const std::string& path, const std::string& taken) {
  TRY_ASSIGN(const Fd lock, lock_context(path));
  const auto kept = read_file(taken, 2 * kLargestContext);
  if (!kept && kept.error().code() != Code::kNotFound) return fail(Error(kept.error()));
  std::string all = kept.value_or("");
  if (all.size() > kLargestContext) return all;  // what was added since waits for the iteration after this one
  const auto added = read_file(path, 2 * kLargestContext);
  if (!added) return added.error().code() == Code::kNotFound ? Result<std::string>(all) : fail(Error(added.error()));
  all += *added;
  TRY(write_file_atomically(taken, all));
  TRY(remove_file(path));
  return all;
}

}  // namespace sbx::agentloop
