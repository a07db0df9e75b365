// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <elf.h>

#include <cstring>
#include <string>
#include <vector>

namespace sbx::testing {

struct Part {
  std::string name;
  std::string content;
  Elf64_Word type = SHT_PROGBITS;
  Elf64_Word about = 0;    // the section that relocations are for
  Elf64_Word link = 0;     // the section of a symbol table's names
  Elf64_Addr address = 0;  // where a kernel's section was linked to; one that has none is not loaded
};

// An ELF file of sections: number 0, the parts, the names.
inline std::string sample_object(const std::vector<Part>& parts, Elf64_Half type = ET_REL) {
  const auto bytes = [](const auto& value) { return std::string(reinterpret_cast<const char*>(&value), sizeof value); };
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_type = type;
  header.e_machine = EM_X86_64;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<Elf64_Half>(parts.size() + 2);
  header.e_shstrndx = static_cast<Elf64_Half>(parts.size() + 1);
  std::string names(1, '\0');
  std::string body;
  std::vector<Elf64_Shdr> sections(1);
  const auto add = [&](const Part& part) {
    Elf64_Shdr section{};
    section.sh_name = static_cast<Elf64_Word>(names.size());
    section.sh_type = part.type;
    section.sh_flags = part.address != 0 ? SHF_ALLOC : 0;
    section.sh_addr = part.address;
    section.sh_link = part.link;
    section.sh_info = part.about;
    section.sh_addralign = 8;
    section.sh_offset = sizeof header + body.size();
    section.sh_size = part.content.size();
    names += part.name + '\0';
    body += part.content + std::string((8 - part.content.size() % 8) % 8, '\0');
    sections.push_back(section);
  };
  for (const Part& part : parts) add(part);
  add({".shstrtab", "", SHT_STRTAB});
  sections.back().sh_size = names.size();
  body += names + std::string((8 - names.size() % 8) % 8, '\0');
  header.e_shoff = sizeof header + body.size();
  std::string out = bytes(header) + body;
  for (const Elf64_Shdr& section : sections) out += bytes(section);
  return out;
}

inline std::vector<Elf64_Shdr> sections_of(const std::string& file) {
  Elf64_Ehdr header{};
  std::memcpy(&header, file.data(), sizeof header);
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  std::memcpy(sections.data(), file.data() + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  return sections;
}

inline std::string section_content(const std::string& file, std::size_t number) {
  const Elf64_Shdr section = sections_of(file).at(number);
  return file.substr(section.sh_offset, section.sh_size);
}

}  // namespace sbx::testing
