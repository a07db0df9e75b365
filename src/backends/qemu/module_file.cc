// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/module_file.h"

#include <endian.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <set>
#include <string_view>
#include <vector>

#include "backends/qemu/elf_file.h"

namespace sbx::backends::qemu {
namespace {

// What follows a module: signature, struct module_signature, of which the last word is the signature's length, kMark.
constexpr std::string_view kMark = "~Module signature appended~\n";
constexpr std::size_t kSignatureHeader = 12;

constexpr std::array<std::string_view, 7> kDiagnostics{
    ".BTF", ".orc_unwind", ".orc_unwind_ip", "__mcount_loc", ".note.Linux", ".note.gnu.build-id", ".note.gnu.property",
};

// What modprobe and modinfo read: the kernel walks past them, a dozen times for each module.
constexpr std::array<std::string_view, 8> kForPrograms{
    "alias=", "author=", "depends=", "description=", "firmware=", "parm=", "parmtype=", "softdep=",
};

// How a function that can be traced begins: a call to where the relocation says. The kernel makes it the other when it
// loads a module that lists its places (__mcount_loc).
constexpr std::string_view kTraced = "__fentry__";
constexpr std::string_view kCall("\xe8\0\0\0\0", 5);
constexpr std::string_view kNothing("\x0f\x1f\x44\0\0", 5);
constexpr std::int64_t kFromCallEnd = -4;  // a call counts from its end

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

std::set<std::size_t> symbols_named(const ElfFile& module, std::string_view name) {
  std::set<std::size_t> found;
  const auto table = module.find_type(SHT_SYMTAB);
  if (!table || module.section(*table).sh_link >= module.size()) return found;
  const auto symbols = entries_of<Elf64_Sym>(module.content(*table));
  const std::string_view names = module.content(module.section(*table).sh_link);
  for (std::size_t i = 0; i < symbols.size(); ++i)
    if (symbols[i].st_shndx == SHN_UNDEF && text_at(names, symbols[i].st_name) == name) found.insert(i);
  return found;
}

// Whatever is not exactly such a call stays one.
void drop_calls(ElfFile& module, std::size_t number, const std::set<std::size_t>& symbols) {
  const std::size_t target = module.section(number).sh_info;
  std::string code(module.content(target));
  auto relocations = entries_of<Elf64_Rela>(module.content(number));
  const std::size_t dropped = std::erase_if(relocations, [&](const Elf64_Rela& relocation) {
    const std::uint64_t begin = relocation.r_offset - 1;
    if (!symbols.contains(ELF64_R_SYM(relocation.r_info)) || ELF64_R_TYPE(relocation.r_info) != R_X86_64_PLT32 ||
        relocation.r_addend != kFromCallEnd || begin > code.size() || code.compare(begin, kCall.size(), kCall) != 0)
      return false;
    code.replace(begin, kNothing.size(), kNothing);
    return true;
  });
  if (dropped == 0) return;
  module.replace(target, std::move(code));
  module.replace(number, content_of(relocations));
}

void drop_tracing(ElfFile& module) {
  const std::set<std::size_t> symbols = symbols_named(module, kTraced);
  for (std::size_t i = 0; i < module.size(); ++i) {
    const Elf64_Shdr& section = module.section(i);
    if (section.sh_type == SHT_RELA && section.sh_info > 0 && section.sh_info < module.size())
      drop_calls(module, i, symbols);
  }
}

void drop_information(ElfFile& module) {
  const auto number = module.find(".modinfo");
  if (!number) return;
  const std::string_view all = module.content(*number);
  std::string kept;
  for (std::size_t at = 0; at < all.size();) {
    const std::string_view word = text_at(all, at);
    at += word.size() + 1;
    const auto begins = [word](std::string_view tag) { return word.starts_with(tag); };
    if (!word.empty() && std::ranges::none_of(kForPrograms, begins)) kept.append(word).append(1, '\0');
  }
  module.replace(*number, std::move(kept));
}

// The kernel copies every named symbol of a module for good. Those of functions stay, for its traces; and the names
// that it has to look up.
void drop_names(ElfFile& module) {
  const auto number = module.find_type(SHT_SYMTAB);
  if (!number) return;
  auto symbols = entries_of<Elf64_Sym>(module.content(*number));
  for (Elf64_Sym& symbol : symbols)
    if (symbol.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol.st_info) != STT_FUNC) symbol.st_name = 0;
  module.replace(*number, content_of(symbols));
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
  drop_tracing(*file);
  drop_information(*file);
  drop_names(*file);
  return file->assembled();
}

}  // namespace sbx::backends::qemu
