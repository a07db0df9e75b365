// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/elf_file.h"

#include <algorithm>
#include <bit>

namespace sbx::backends::qemu {
namespace {

constexpr unsigned char kOrder = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

bool occupies(const Elf64_Shdr& section) { return section.sh_type != SHT_NULL && section.sh_type != SHT_NOBITS; }

bool is_ours(const Elf64_Ehdr& header, Elf64_Half type) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
         header.e_ident[EI_DATA] == kOrder && header.e_machine == EM_X86_64 && header.e_type == type &&
         header.e_shentsize == sizeof(Elf64_Shdr);
}

}  // namespace

std::optional<ElfFile> ElfFile::parse(std::string_view file, Elf64_Half type) {
  Elf64_Ehdr header{};
  if (file.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, file.data(), sizeof header);
  if (!is_ours(header, type)) return std::nullopt;
  ElfFile parsed(file, header);
  return parsed.read_sections() ? std::optional(std::move(parsed)) : std::nullopt;
}

bool ElfFile::read_sections() {
  const std::size_t size = std::size_t{header_.e_shnum} * sizeof(Elf64_Shdr);
  if (header_.e_shoff > file_.size() || size > file_.size() - header_.e_shoff) return false;
  sections_ = entries_of<Elf64_Shdr>(file_.substr(header_.e_shoff, size));
  if (header_.e_shstrndx >= sections_.size()) return false;
  std::size_t left = file_.size();
  for (const Elf64_Shdr& section : sections_) {
    if (!occupies(section)) continue;
    if (section.sh_offset > file_.size() || section.sh_size > file_.size() - section.sh_offset) return false;
    if (section.sh_size > left) return false;  // they overlap
    left -= section.sh_size;
  }
  return true;
}

std::string_view ElfFile::name(std::size_t number) const {
  return text_at(content(header_.e_shstrndx), sections_[number].sh_name);
}

std::string_view ElfFile::content(std::size_t number) const {
  if (const auto replaced = replaced_.find(number); replaced != replaced_.end()) return replaced->second;
  const Elf64_Shdr& section = sections_[number];
  return occupies(section) ? file_.substr(section.sh_offset, section.sh_size) : std::string_view();
}

std::optional<std::size_t> ElfFile::find(std::string_view name_wanted) const {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < size(); ++i) {
    if (sections_[i].sh_type == SHT_NULL || name(i) != name_wanted) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

std::optional<std::size_t> ElfFile::find_type(Elf64_Word type) const {
  const auto is_it = [type](const Elf64_Shdr& section) { return section.sh_type == type; };
  if (std::ranges::count_if(sections_, is_it) != 1) return std::nullopt;
  return static_cast<std::size_t>(std::ranges::find_if(sections_, is_it) - sections_.begin());
}

void ElfFile::replace(std::size_t number, std::string content) {
  sections_[number].sh_size = content.size();
  replaced_[number] = std::move(content);
}

void ElfFile::drop(std::size_t number) {
  sections_[number] = Elf64_Shdr{};
  replaced_.erase(number);
}

std::string ElfFile::assembled() const {
  std::string out(sizeof(Elf64_Ehdr), '\0');
  auto sections = sections_;
  const auto align = [&](std::size_t to) { out.resize((out.size() + to - 1) / to * to); };
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (!occupies(sections[i])) continue;
    align(std::clamp<std::size_t>(sections[i].sh_addralign, 1, 4096));
    sections[i].sh_offset = out.size();
    out += content(i);
  }
  align(alignof(Elf64_Shdr));
  Elf64_Ehdr header = header_;
  header.e_shoff = out.size();
  out += content_of(sections);
  std::memcpy(out.data(), &header, sizeof header);
  return out;
}

std::string_view text_at(std::string_view table, std::size_t offset) {
  const std::string_view rest = table.substr(std::min(offset, table.size()));
  return rest.substr(0, rest.find('\0'));
}

}  // namespace sbx::backends::qemu
