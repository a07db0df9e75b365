// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/kit/initramfs.h"

#include <sys/stat.h>

#include "base/format.h"

namespace sbx::backends::qemu {
namespace {

constexpr std::string_view kTrailer = "TRAILER!!!";

void pad(std::string& archive) { archive.append((4 - archive.size() % 4) % 4, '\0'); }

// The number of links is of no interest to the kernel, except that more than one for a file would need equal inodes.
void append(std::string& archive, const CpioEntry& entry, std::uint32_t inode) {
  archive += sbx::format("070701{:08x}{:08x}{:08x}{:08x}{:08x}{:08x}{:08x}", inode, entry.mode, 0, 0,
                         S_ISDIR(entry.mode) ? 2 : 1, 0, entry.content.size());
  archive +=
      sbx::format("{:08x}{:08x}{:08x}{:08x}{:08x}{:08x}", 0, 0, entry.major, entry.minor, entry.path.size() + 1, 0);
  archive += entry.path;
  archive += '\0';
  pad(archive);
  archive += entry.content;
  pad(archive);
}

void append_modules(std::vector<CpioEntry>& entries, const std::string& directory, std::vector<NamedModule> modules) {
  entries.push_back({directory, S_IFDIR | 0755});
  std::size_t number = 0;
  for (NamedModule& module : modules)
    entries.push_back(
        {sbx::format("{}/{:02}-{}.ko", directory, number++, module.name), S_IFREG | 0644, std::move(module.content)});
}

}  // namespace

std::string cpio_archive(const std::vector<CpioEntry>& entries) {
  std::string archive;
  std::uint32_t inode = 0;
  for (const CpioEntry& entry : entries) append(archive, entry, ++inode);
  append(archive, {std::string(kTrailer), 0}, 0);
  return archive;
}

std::vector<CpioEntry> initramfs_entries(std::string init, std::vector<NamedModule> modules,
                                         std::vector<NamedModule> network_modules) {
  std::vector<CpioEntry> entries;
  for (const char* directory : {"dev", "newroot", "proc", "run", "sys"}) entries.push_back({directory, S_IFDIR | 0755});
  // The kernel opens it for init before anything is mounted on /dev.
  entries.push_back({"dev/console", S_IFCHR | 0600, "", 5, 1});
  entries.push_back({"init", S_IFREG | 0755, std::move(init)});
  append_modules(entries, "modules", std::move(modules));
  append_modules(entries, "network-modules", std::move(network_modules));
  return entries;
}

}  // namespace sbx::backends::qemu
