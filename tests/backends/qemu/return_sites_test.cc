// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/return_sites.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "backends/qemu/elf_file.h"
#include "backends/qemu/sample_object.h"

namespace sbx::backends::qemu {
namespace {

using testing::section_content;
using testing::sections_of;
using namespace std::string_literals;

const std::string kJump = "\xe9\0\0\0\0"s;
const std::string kPlain = "\xc3\xcc\xcc\xcc\xcc"s;

constexpr std::uint64_t kText = 1;  // numbers of symbols
constexpr std::uint64_t kThunk = 2;
constexpr std::uint64_t kOther = 3;

Elf64_Rela relocation(std::uint64_t offset, std::uint64_t symbol, std::uint64_t type, std::int64_t addend) {
  return {offset, ELF64_R_INFO(symbol, type), addend};
}

Elf64_Sym named_symbol(Elf64_Word name, Elf64_Half section) {
  Elf64_Sym symbol{};
  symbol.st_name = name;
  symbol.st_shndx = section;
  return symbol;
}

// A call, a return, a jump that is a tail call, a return.
struct Module {
  std::string code = "\xe8\0\0\0\0"s + kJump + kJump + kJump;
  std::vector<Elf64_Rela> of_code{
      relocation(1, kOther, R_X86_64_PLT32, -4),
      relocation(6, kThunk, R_X86_64_PLT32, -4),
      relocation(11, kOther, R_X86_64_PLT32, -4),
      relocation(16, kThunk, R_X86_64_PLT32, -4),
  };
  std::vector<Elf64_Rela> of_sites{relocation(0, kText, R_X86_64_PC32, 5), relocation(4, kText, R_X86_64_PC32, 15)};
  std::string sites = std::string(8, '\0');

  std::string file() const {
    const std::vector<Elf64_Sym> symbols{Elf64_Sym{}, named_symbol(0, 1), named_symbol(1, SHN_UNDEF),
                                         named_symbol(20, SHN_UNDEF)};
    return testing::sample_object({{".text", code},
                                   {".rela.text", content_of(of_code), SHT_RELA, 1},
                                   {".return_sites", sites},
                                   {".rela.return_sites", content_of(of_sites), SHT_RELA, 3},
                                   {".symtab", content_of(symbols), SHT_SYMTAB, 1, 6},
                                   {".strtab", "\0__x86_return_thunk\0kfree\0"s, SHT_STRTAB}});
  }
};

TEST(ReturnSites, AJumpToTheThunkBecomesAReturnAndItsRelocationGoes) {
  const std::string plain = with_plain_returns(Module{}.file());
  EXPECT_EQ(section_content(plain, 1), "\xe8\0\0\0\0"s + kPlain + kJump + kPlain);
  const auto left = entries_of<Elf64_Rela>(section_content(plain, 2));
  ASSERT_EQ(left.size(), 2u);
  EXPECT_EQ(left[0].r_offset, 1u);
  EXPECT_EQ(left[1].r_offset, 11u);
  EXPECT_EQ(sections_of(plain).at(3).sh_type, SHT_NULL);
  EXPECT_EQ(sections_of(plain).at(4).sh_type, SHT_NULL);
}

TEST(ReturnSites, AModuleOfWhichOnePlaceIsOddIsLeftToTheKernel) {
  const std::vector<std::function<void(Module&)>> oddities{
      [](Module& m) { m.code[5] = '\xeb'; },
      [](Module& m) { m.code[19] = '\x01'; },
      [](Module& m) { m.code.resize(18); },
      [](Module& m) { m.of_code[1] = relocation(6, kOther, R_X86_64_PLT32, -4); },
      [](Module& m) { m.of_code[1] = relocation(6, kThunk, R_X86_64_PC32, -4); },
      [](Module& m) { m.of_code[1] = relocation(6, kThunk, R_X86_64_PLT32, 0); },
      [](Module& m) { m.of_code.pop_back(); },
      [](Module& m) { m.of_sites.pop_back(); },
      [](Module& m) { m.of_sites[1] = m.of_sites[0]; },
      [](Module& m) { m.of_sites[1] = relocation(4, kText, R_X86_64_PC32, 1000); },
      [](Module& m) { m.of_sites[1] = relocation(4, kText, R_X86_64_PC32, -1); },
      [](Module& m) { m.of_sites[1] = relocation(4, kThunk, R_X86_64_PC32, 15); },
      [](Module& m) { m.of_sites[1] = relocation(4, 77, R_X86_64_PC32, 15); },
      [](Module& m) { m.sites += "more"; },
  };
  for (std::size_t i = 0; i < oddities.size(); ++i) {
    Module module;
    oddities[i](module);
    EXPECT_EQ(with_plain_returns(module.file()), module.file()) << i;
  }
}

TEST(ReturnSites, WhatHasNoneComesBackAsItIs) {
  const std::string none = testing::sample_object({{".text", kJump}});
  EXPECT_EQ(with_plain_returns(none), none);
  EXPECT_EQ(with_plain_returns("no module"), "no module");
}

TEST(ReturnSites, ATableThatLiesDoesNoHarm) {
  const std::string whole = Module{}.file();
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char value : {'\x00', '\x7f', '\xff'}) {
      std::string file = whole;
      file[at] = value;
      EXPECT_LE(with_plain_returns(file).size(), file.size() + 8 * 4096);
    }
}

}  // namespace
}  // namespace sbx::backends::qemu
