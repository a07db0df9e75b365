// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/prelink.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <vector>

#include "backends/qemu/elf_file.h"

namespace sbx::backends::qemu {
namespace {

struct Version {  // struct modversion_info
  std::uint64_t checksum;
  std::array<char, 56> name;
};

using Names = std::set<std::string, std::less<>>;

// <linux/license.h>
constexpr std::array<std::string_view, 6> kFreeLicences{
    "GPL", "GPL v2", "GPL and additional rights", "Dual BSD/GPL", "Dual MIT/GPL", "Dual MPL/GPL",
};

std::string_view name_of(const Version& version) {
  return text_at(std::string_view(version.name.data(), version.name.size()), 0);
}

// Every one that it names.
bool may_use_all(const ElfFile& module) {
  constexpr std::string_view kLicence = "license=";
  const auto number = module.find(".modinfo");
  const std::string_view information = number ? module.content(*number) : std::string_view();
  bool has_one = false;
  for (std::size_t at = 0; at < information.size();) {
    const std::string_view word = text_at(information, at);
    at += word.size() + 1;
    if (!word.starts_with(kLicence)) continue;
    if (std::ranges::find(kFreeLicences, word.substr(kLicence.size())) == kFreeLicences.end()) return false;
    has_one = true;
  }
  return has_one;
}

// Those that the module was built against as the kernel has them.
KernelSymbols agreed(const std::vector<Version>& versions, const KernelSymbols& symbols) {
  KernelSymbols same;
  Names seen;
  for (const Version& version : versions) {
    if (!seen.emplace(name_of(version)).second) continue;  // the kernel, too, looks at the first only
    const auto symbol = symbols.find(name_of(version));
    if (symbol != symbols.end() && symbol->second.checksum == version.checksum) same.insert(*symbol);
  }
  return same;
}

// Absolute ones are what they say they are. Returns the names of those that were put in.
Names put_in(std::vector<Elf64_Sym>& table, std::string_view names, const KernelSymbols& symbols) {
  Names done;
  for (Elf64_Sym& entry : table) {
    if (entry.st_shndx != SHN_UNDEF) continue;
    const auto symbol = symbols.find(text_at(names, entry.st_name));
    if (symbol == symbols.end()) continue;
    entry.st_shndx = SHN_ABS;
    entry.st_value = symbol->second.address;
    done.insert(symbol->first);
  }
  return done;
}

}  // namespace

std::string prelinked(std::string module, const KernelSymbols& symbols) {
  auto file = ElfFile::parse(module, ET_REL);
  const auto versions_at = file ? file->find("__versions") : std::nullopt;
  const auto table_at = file ? file->find_type(SHT_SYMTAB) : std::nullopt;
  if (!versions_at || !table_at || file->section(*table_at).sh_link >= file->size() || !may_use_all(*file))
    return module;
  auto versions = entries_of<Version>(file->content(*versions_at));
  auto table = entries_of<Elf64_Sym>(file->content(*table_at));
  const std::string_view names = file->content(file->section(*table_at).sh_link);
  const Names done = put_in(table, names, agreed(versions, symbols));
  std::erase_if(versions, [&](const Version& version) { return done.contains(name_of(version)); });
  file->replace(*table_at, content_of(table));
  file->replace(*versions_at, content_of(versions));
  return file->assembled();
}

}  // namespace sbx::backends::qemu
