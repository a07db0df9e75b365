// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/module_file.h"

#include <endian.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "backends/qemu/elf_file.h"

namespace sbx::backends::qemu {
namespace {

// What follows a module: signature, struct module_signature, of which the last word is the signature's length, kMark.
constexpr std::string_view kMark = "~Module signature appended~\n";
constexpr std::size_t kSignatureHeader = 12;

constexpr std::array<std::string_view, 4> kDiagnostics{".BTF", ".orc_unwind", ".orc_unwind_ip", "__mcount_loc"};

bool is_diagnostic(std::string_view section) { return std::ranges::find(kDiagnostics, section) != kDiagnostics.end(); }

// With the relocations that are for them.
void drop_diagnostics(ElfFile& module) {
  std::vector<std::size_t> dropped;
  for (std::size_t i = 0; i < module.size(); ++i) {
    const Elf64_Shdr& section = module.section(i);
    const bool relocates = section.sh_type == SHT_RELA && section.sh_info < module.size();
    if (is_diagnostic(module.name(relocates ? section.sh_info : i))) dropped.push_back(i);
  }
  for (const std::size_t i : dropped) module.drop(i);
}

}  // namespace

std::string without_signature(std::string module) {
  const std::size_t trailer = kSignatureHeader + kMark.size();
  if (!module.ends_with(kMark) || module.size() < trailer) return module;
  std::uint32_t length = 0;
  std::memcpy(&length, module.data() + module.size() - kMark.size() - sizeof length, sizeof length);
  length = be32toh(length);
  if (length <= module.size() - trailer) module.resize(module.size() - trailer - length);
  return module;
}

std::string without_diagnostics(std::string module) {
  auto file = ElfFile::parse(module, ET_REL);
  if (!file) return module;
  drop_diagnostics(*file);
  return file->assembled();
}

}  // namespace sbx::backends::qemu
