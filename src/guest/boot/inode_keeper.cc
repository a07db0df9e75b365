// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/inode_keeper.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>

#include "base/file.h"
#include "base/text.h"

namespace sbx::guest {
namespace {

constexpr std::chrono::milliseconds kBetweenKeeperLooks{250};
constexpr std::string_view kCache = "fuse_inode";
// A cache with a constructor, as this is, is merged with no other.
constexpr const char* kCounter = "/sys/kernel/slab/fuse_inode/objects";

// In a process of its own, because it takes as long as there is to forget; init reaps it as any other.
void forget() {
  if (::fork() != 0) return;
  const Fd file(::open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC));
  (void)!::write(file.get(), "2", 1);
  ::_exit(0);
}

}  // namespace

std::optional<std::int64_t> shared_inodes_counted(std::string_view objects) {
  return parse_integer(trimmed(cut_off(objects, ' ')));
}

std::optional<std::int64_t> shared_inodes_listed(std::string_view slabinfo) {
  while (!slabinfo.empty()) {
    const std::string_view line = cut_off(slabinfo, '\n');
    if (line.starts_with(kCache)) return shared_inodes_counted(trimmed(line.substr(kCache.size())));
  }
  return std::nullopt;
}

void InodeKeeper::start() {
  if (most_ <= 0) return;
  if (auto counter = open_path(kCounter, O_RDONLY)) counter_ = *std::move(counter);
  look_again();
}

void InodeKeeper::look_again() {
  next_look_ = loop_.after(kBetweenKeeperLooks, [this] {
    look();
    look_again();
  });
}

// At half, because the server needs descriptors for what is open, too, and the next look is a moment away.
void InodeKeeper::look() {
  const auto now = count();
  if (now && *now > most_ / 2) forget();
}

std::optional<std::int64_t> InodeKeeper::count() const {
  std::array<char, 256> text;
  const ssize_t n = counter_ ? ::pread(counter_.get(), text.data(), text.size(), 0) : 0;
  if (n > 0) return shared_inodes_counted({text.data(), static_cast<std::size_t>(n)});
  const auto slabinfo = read_file("/proc/slabinfo", 1u << 20);
  return slabinfo ? shared_inodes_listed(*slabinfo) : std::nullopt;
}

}  // namespace sbx::guest
