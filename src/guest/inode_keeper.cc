// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/inode_keeper.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"

namespace sbx::guest {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{250};
constexpr std::string_view kCache = "fuse_inode";

// In a process of its own, because it takes as long as there is to forget; init reaps it as any other.
void forget() {
  if (::fork() != 0) return;
  const Fd file(::open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC));
  (void)!::write(file.get(), "2", 1);
  ::_exit(0);
}

}  // namespace

std::optional<std::int64_t> shared_inodes(std::string_view slabinfo) {
  for (const std::string& line : split(slabinfo, '\n')) {
    if (!line.starts_with(kCache)) continue;
    const std::string_view rest = trimmed(std::string_view(line).substr(kCache.size()));
    return parse_integer(rest.substr(0, rest.find(' ')));
  }
  return std::nullopt;
}

void InodeKeeper::start() {
  if (most_ <= 0) return;
  loop_.after(kBetweenLooks, [this] {
    look();
    start();
  });
}

// At half, because the server needs descriptors for what is open, too, and the next look is a moment away.
void InodeKeeper::look() {
  const auto slabinfo = read_file("/proc/slabinfo", 1u << 20);
  const auto count = slabinfo ? shared_inodes(*slabinfo) : std::nullopt;
  if (count && *count > most_ / 2) forget();
}

}  // namespace sbx::guest
