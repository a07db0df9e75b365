// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/machine/memory.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "backends/mounting.h"

namespace sbx::backends::qemu {
namespace {

// QEMU's microvm has this much below the hole for devices; the rest is above it, which is where Linux takes from first.
constexpr std::int64_t kBelowHole = 3072 * kMiB;
constexpr std::int64_t kFirstPages = 48 * kMiB;
// 64 bytes for each page of 4096, and what else Linux takes from the top before it has an allocator.
constexpr std::int64_t kPagesPerTablePage = 64;
constexpr std::int64_t kAtTheTop = 16 * kMiB;
constexpr std::int64_t kLargestKernel = 256 * kMiB;

constexpr int kPopulateWrite = 23;  // MADV_POPULATE_WRITE, which the C library's headers may be too old for

// From the first of its segments to the end of the last. Empty for what is not a kernel.
MemoryRange kernel_of(std::string_view image) {
  Elf64_Ehdr header{};
  if (image.size() < sizeof header || !image.starts_with(ELFMAG)) return {};
  std::memcpy(&header, image.data(), sizeof header);
  std::uint64_t begin = UINT64_MAX;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    const std::size_t at = header.e_phoff + i * sizeof segment;
    if (header.e_phoff > image.size() || image.size() - header.e_phoff < (i + 1) * sizeof segment) return {};
    std::memcpy(&segment, image.data() + at, sizeof segment);
    if (segment.p_type != PT_LOAD) continue;
    begin = std::min(begin, segment.p_paddr);
    end = std::max(end, segment.p_paddr + segment.p_memsz);
  }
  if (begin >= end || end - begin > static_cast<std::uint64_t>(kLargestKernel)) return {};
  return {static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end - begin)};
}

// Whole pages of it that are in memory.
MemoryRange within(MemoryRange range, std::int64_t memory) {
  constexpr std::int64_t kPage = 4096;
  const std::int64_t begin = std::clamp<std::int64_t>(range.begin / kPage * kPage, 0, memory);
  const std::int64_t end = std::clamp<std::int64_t>((range.begin + range.size) / kPage * kPage, begin, memory);
  return {begin, end - begin};
}

}  // namespace

Result<Memory> make_memory(std::int64_t bytes, uid_t uid, gid_t gid) {
  TRY_ASSIGN(Fd directory, detached_tmpfs(bytes));
  Fd file(::openat(directory.get(), kMemoryFile, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file) return fail_errno("make the machine's memory");
  if (::ftruncate(file.get(), bytes) != 0) return fail_errno("set the size of the machine's memory");
  if (::fchown(file.get(), uid, gid) != 0) return fail_errno("give QEMU the machine's memory");
  return Memory{std::move(file), Shared{std::move(directory), true}};
}

std::vector<MemoryRange> boot_footprint(std::string_view kernel, std::int64_t memory) {
  const MemoryRange image = kernel_of(kernel);
  if (image.size == 0) return {};
  const std::int64_t first = memory > kBelowHole ? kBelowHole : image.begin + image.size;
  const std::int64_t top = memory / kPagesPerTablePage + kAtTheTop;
  std::vector<MemoryRange> ranges;
  for (const MemoryRange& range : {image, MemoryRange{memory - top, top}, MemoryRange{first, kFirstPages}})
    if (const MemoryRange inside = within(range, memory); inside.size > 0) ranges.push_back(inside);
  return ranges;
}

void provide(const Fd& memory, std::span<const MemoryRange> ranges) {
  for (const MemoryRange& range : ranges) {
    const auto size = static_cast<std::size_t>(range.size);
    void* const pages = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(), range.begin);
    if (pages == MAP_FAILED) return;
    const bool provided = ::madvise(pages, size, kPopulateWrite) == 0;
    ::munmap(pages, size);
    if (!provided) return;
  }
}

}  // namespace sbx::backends::qemu
