// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/kernel_symbols.h"

#include <cstddef>
#include <optional>
#include <vector>

#include "backends/qemu/elf_file.h"

namespace sbx::backends::qemu {
namespace {

struct Export {  // struct kernel_symbol: each is the distance from itself to what it is about
  std::int32_t value;
  std::int32_t name;
  std::int32_t name_space;
};

std::uint64_t target(std::uint64_t from, std::int32_t distance) {
  return from + static_cast<std::uint64_t>(std::int64_t{distance});
}

// Nothing where the kernel has no text.
std::optional<std::string_view> text_at_address(const ElfFile& kernel, std::uint64_t address) {
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    const Elf64_Shdr& section = kernel.section(i);
    const bool is_there = (section.sh_flags & SHF_ALLOC) != 0 && address >= section.sh_addr;
    const std::string_view content = is_there ? kernel.content(i) : std::string_view();
    if (address - section.sh_addr < content.size()) return text_at(content, address - section.sh_addr);
  }
  return std::nullopt;
}

// The kernel keeps the checksums beside the symbols, in the same order.
void add_table(const ElfFile& kernel, std::string_view table, std::string_view checksums, KernelSymbols& symbols) {
  const auto number = kernel.find(table);
  const auto beside = kernel.find(checksums);
  if (!number || !beside) return;
  const auto exports = entries_of<Export>(kernel.content(*number));
  const auto sums = entries_of<std::uint32_t>(kernel.content(*beside));
  if (exports.size() != sums.size() || exports.size() * sizeof(Export) != kernel.content(*number).size()) return;
  for (std::size_t i = 0; i < exports.size(); ++i) {
    const std::uint64_t at = kernel.section(*number).sh_addr + i * sizeof(Export);
    const auto name = text_at_address(kernel, target(at + offsetof(Export, name), exports[i].name));
    const auto name_space = text_at_address(kernel, target(at + offsetof(Export, name_space), exports[i].name_space));
    if (!name || name->empty() || !name_space || !name_space->empty()) continue;
    symbols.emplace(*name, KernelSymbol{target(at, exports[i].value), sums[i]});
  }
}

}  // namespace

KernelSymbols exported_symbols(std::string_view kernel) {
  KernelSymbols symbols;
  const auto file = ElfFile::parse(kernel, ET_EXEC);
  if (!file) return symbols;
  add_table(*file, "__ksymtab", "__kcrctab", symbols);
  add_table(*file, "__ksymtab_gpl", "__kcrctab_gpl", symbols);
  return symbols;
}

}  // namespace sbx::backends::qemu
