// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/module_file.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <string_view>
#include <vector>

namespace sbx::backends::qemu {
namespace {

struct Part {
  std::string name;
  std::string content;
  Elf64_Word type = SHT_PROGBITS;
  Elf64_Word about = 0;  // the section that relocations are for
};

template <class T>
std::string bytes_of(const T& value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

// Section 0, the parts, the names.
std::string object(const std::vector<Part>& parts) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_type = ET_REL;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<Elf64_Half>(parts.size() + 2);
  header.e_shstrndx = static_cast<Elf64_Half>(parts.size() + 1);
  std::string names(1, '\0');
  std::string body;
  std::vector<Elf64_Shdr> sections(1);
  const auto add = [&](const std::string& name, const std::string& content, Elf64_Word type, Elf64_Word about) {
    Elf64_Shdr section{};
    section.sh_name = static_cast<Elf64_Word>(names.size());
    section.sh_type = type;
    section.sh_info = about;
    section.sh_addralign = 8;
    section.sh_offset = sizeof header + body.size();
    section.sh_size = content.size();
    names += name + '\0';
    body += content + std::string((8 - content.size() % 8) % 8, '\0');
    sections.push_back(section);
  };
  for (const Part& part : parts) add(part.name, part.content, part.type, part.about);
  add(".shstrtab", std::string(), SHT_STRTAB, 0);
  sections.back().sh_size = names.size();
  body += names + std::string((8 - names.size() % 8) % 8, '\0');
  header.e_shoff = sizeof header + body.size();
  std::string out = bytes_of(header) + body;
  for (const Elf64_Shdr& section : sections) out += bytes_of(section);
  return out;
}

std::vector<Elf64_Shdr> sections_of(const std::string& file) {
  Elf64_Ehdr header{};
  std::memcpy(&header, file.data(), sizeof header);
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  std::memcpy(sections.data(), file.data() + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  return sections;
}

std::string content_of(const std::string& file, std::size_t number) {
  const Elf64_Shdr section = sections_of(file).at(number);
  return file.substr(section.sh_offset, section.sh_size);
}

TEST(ModuleFile, DropsWhatADebuggerWantsAndKeepsTheRestInItsPlace) {
  const std::string whole = object({{".text", "code"},
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
  EXPECT_EQ(content_of(lean, 1), "code");
  for (const std::size_t dropped : {2, 3, 4, 5, 6}) {
    EXPECT_EQ(sections[dropped].sh_type, SHT_NULL) << dropped;
    EXPECT_EQ(sections[dropped].sh_size, 0u) << dropped;
  }
  EXPECT_EQ(content_of(lean, 7), "of code");
  EXPECT_EQ(sections[7].sh_info, 1u);
  EXPECT_EQ(content_of(lean, 8), "ids");
  EXPECT_EQ(content_of(lean, 9), content_of(whole, 9));
  EXPECT_LT(lean.size() + 5000, whole.size());
}

TEST(ModuleFile, AModuleWithoutAnyStaysWhatItIs) {
  const std::string whole = object({{".text", "code"}, {".data", "data"}});
  EXPECT_EQ(without_diagnostics(whole), whole);
}

TEST(ModuleFile, WhatIsNoObjectComesBackAsItIs) {
  const std::string whole = object({{".BTF", "types"}});
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
  const std::string whole = object({{".rela.x", "r", SHT_RELA, 1}, {".BTF", "types"}});
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char value : {'\x00', '\x7f', '\xff'}) {
      std::string file = whole;
      file[at] = value;
      EXPECT_LE(without_diagnostics(file).size(), file.size() + 4 * 4096);
    }
}

}  // namespace
}  // namespace sbx::backends::qemu
