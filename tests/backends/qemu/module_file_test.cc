// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/module_file.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <vector>

#include "backends/qemu/elf_file.h"
#include "backends/qemu/sample_object.h"

namespace sbx::backends::qemu {
namespace {

using testing::section_content;
using testing::sections_of;

TEST(ModuleFile, DropsWhatADebuggerWantsAndKeepsTheRestInItsPlace) {
  const std::string whole = testing::sample_object({{".text", "code"},
                                                    {".BTF", std::string(5000, 't')},
                                                    {"__mcount_loc", "places"},
                                                    {".rela__mcount_loc", "of places", SHT_RELA, 3},
                                                    {".orc_unwind", "o"},
                                                    {".orc_unwind_ip", "i"},
                                                    {".rela.text", "of code", SHT_RELA, 1},
                                                    {".BTF_ids", "ids"}});
  const std::string lean = without_diagnostics(whole);
  const auto sections = sections_of(lean);
  ASSERT_EQ(sections.size(), sections_of(whole).size());
  EXPECT_EQ(section_content(lean, 1), "code");
  for (const std::size_t dropped : {2, 3, 4, 5, 6}) {
    EXPECT_EQ(sections[dropped].sh_type, SHT_NULL) << dropped;
    EXPECT_EQ(sections[dropped].sh_size, 0u) << dropped;
  }
  EXPECT_EQ(section_content(lean, 7), "of code");
  EXPECT_EQ(sections[7].sh_info, 1u);
  EXPECT_EQ(section_content(lean, 8), "ids");
  EXPECT_EQ(section_content(lean, 9), section_content(whole, 9));
  EXPECT_LT(lean.size() + 5000, whole.size());
}

TEST(ModuleFile, NotesGo) {
  const std::string lean = without_diagnostics(
      testing::sample_object({{".note.gnu.build-id", "id", SHT_NOTE}, {".note.Linux", "salt", SHT_NOTE}, {"a", "a"}}));
  EXPECT_EQ(sections_of(lean).at(1).sh_type, SHT_NULL);
  EXPECT_EQ(sections_of(lean).at(2).sh_type, SHT_NULL);
  EXPECT_EQ(section_content(lean, 3), "a");
}

TEST(ModuleFile, OfItsInformationWhatTheKernelReadsStays) {
  using namespace std::string_literals;
  const std::string lean = without_diagnostics(testing::sample_object(
      {{".modinfo", "license=GPL\0\0\0author=somebody\0alias=fs-a\0depends=\0vermagic=6.1 SMP \0import_ns=N\0"s}}));
  EXPECT_EQ(section_content(lean, 1), "license=GPL\0vermagic=6.1 SMP \0import_ns=N\0"s);
}

Elf64_Sym symbol(unsigned char type, Elf64_Half section) {
  Elf64_Sym symbol{};
  symbol.st_name = 1;
  symbol.st_info = static_cast<unsigned char>(ELF64_ST_INFO(STB_LOCAL, type));
  symbol.st_shndx = section;
  symbol.st_value = 8;
  return symbol;
}

TEST(ModuleFile, NamesStayWhereSomebodyAsksForThem) {
  const std::vector<Elf64_Sym> symbols{Elf64_Sym{}, symbol(STT_FUNC, 2), symbol(STT_OBJECT, 2),
                                       symbol(STT_NOTYPE, SHN_UNDEF)};
  const std::string lean = without_diagnostics(testing::sample_object(
      {{".symtab", content_of(symbols), SHT_SYMTAB, 3, 3}, {".text", "code"}, {".strtab", "\0name", SHT_STRTAB}}));
  const auto after = entries_of<Elf64_Sym>(section_content(lean, 1));
  ASSERT_EQ(after.size(), 4u);
  EXPECT_EQ(after[1].st_name, 1u) << "a function: for traces";
  EXPECT_EQ(after[2].st_name, 0u) << "a variable";
  EXPECT_EQ(after[3].st_name, 1u) << "what it takes from elsewhere";
  EXPECT_EQ(after[2].st_value, 8u);
}

// Functions that begin with a call of __fentry__, and what only looks like one.
TEST(ModuleFile, FunctionsAreNotTraced) {
  using namespace std::string_literals;
  const std::string call = "\xe8\0\0\0\0"s;
  const std::string nothing = "\x0f\x1f\x44\0\0"s;
  Elf64_Sym fentry = symbol(STT_NOTYPE, SHN_UNDEF);
  Elf64_Sym other = fentry;
  other.st_name = 12;
  const auto relocation = [](Elf64_Addr at, Elf64_Xword symbol, Elf64_Xword type, Elf64_Sxword addend) {
    return Elf64_Rela{at, ELF64_R_INFO(symbol, type), addend};
  };
  const std::vector<Elf64_Rela> relocations{
      relocation(1, 1, R_X86_64_PLT32, -4),    relocation(6, 2, R_X86_64_PLT32, -4),
      relocation(11, 1, R_X86_64_PLT32, -4),   relocation(16, 1, R_X86_64_64, -4),
      relocation(21, 1, R_X86_64_PLT32, 0),    relocation(26, 1, R_X86_64_PLT32, -4),
      relocation(0, 1, R_X86_64_PLT32, -4),    relocation(28, 1, R_X86_64_PLT32, -4),
      relocation(1000, 1, R_X86_64_PLT32, -4),
  };
  const std::string lean = without_diagnostics(testing::sample_object({
      {".text", call + call + call + call + call + "jumps"s},
      {".rela.text", content_of(relocations), SHT_RELA, 1},
      {".symtab", content_of(std::vector<Elf64_Sym>{Elf64_Sym{}, fentry, other}), SHT_SYMTAB, 3, 4},
      {".strtab", "\0__fentry__\0other\0"s, SHT_STRTAB},
  }));
  EXPECT_EQ(section_content(lean, 1), nothing + call + nothing + call + call + "jumps"s);
  EXPECT_EQ(entries_of<Elf64_Rela>(section_content(lean, 2)).size(), relocations.size() - 2);
}

TEST(ModuleFile, AModuleWithoutAnyStaysWhatItIs) {
  const std::string whole = testing::sample_object({{".text", "code"}, {".data", "data"}});
  EXPECT_EQ(without_diagnostics(whole), whole);
}

TEST(ModuleFile, WhatIsNoObjectComesBackAsItIs) {
  const std::string whole = testing::sample_object({{".BTF", "types"}});
  std::vector<std::string> odd{"",
                               "\x7f"
                               "ELF",
                               std::string(200, 'x')};
  for (std::size_t size = 0; size < whole.size(); ++size) odd.push_back(whole.substr(0, size));
  const std::map<std::size_t, char> damages{{EI_CLASS, ELFCLASS32},
                                            {EI_DATA, ELFDATA2MSB},
                                            {offsetof(Elf64_Ehdr, e_type), ET_EXEC},
                                            {offsetof(Elf64_Ehdr, e_shentsize), 1},
                                            {offsetof(Elf64_Ehdr, e_shstrndx), 77},
                                            {offsetof(Elf64_Ehdr, e_shoff) + 6, 1}};
  for (const auto& [at, value] : damages) {
    odd.push_back(whole);
    odd.back()[at] = value;
  }
  for (const std::string& file : odd) EXPECT_EQ(without_diagnostics(file), file);
}

// A relocation section that is for itself, names beyond their table, contents beyond the file.
TEST(ModuleFile, ATableThatLiesDoesNoHarm) {
  const std::string whole = testing::sample_object({{".rela.x", "r", SHT_RELA, 1},
                                                    {".BTF", "types"},
                                                    {".modinfo", "a=b"},
                                                    {".symtab", "symbols", SHT_SYMTAB, 1, 4}});
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char value : {'\x00', '\x7f', '\xff'}) {
      std::string file = whole;
      file[at] = value;
      EXPECT_LE(without_diagnostics(file).size(), file.size() + 6 * 4096);
    }
}

}  // namespace
}  // namespace sbx::backends::qemu
