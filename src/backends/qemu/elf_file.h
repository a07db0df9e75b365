// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::backends::qemu {

// An ELF file of this machine's kind (64 bits, its order, x86-64), taken apart into its sections so that it can be put
// together again with others in their places. Numbers of sections stay: one that was dropped is an empty one.
class ElfFile {
 public:
  // Borrows the file. Nothing for one that is not of this kind and of this type (ET_REL, ET_EXEC), or whose tables
  // leave it or overlap.
  static std::optional<ElfFile> parse(std::string_view file, Elf64_Half type);

  std::size_t size() const { return sections_.size(); }
  const Elf64_Shdr& section(std::size_t number) const { return sections_[number]; }
  std::string_view name(std::size_t number) const;
  std::string_view content(std::size_t number) const;

  // The only section of this name, or of this type; nothing where there is none, or several.
  std::optional<std::size_t> find(std::string_view name) const;
  std::optional<std::size_t> find_type(Elf64_Word type) const;

  void replace(std::size_t number, std::string content);
  void drop(std::size_t number);
  // Sections only: what a loader of programs would look for is not in it.
  std::string assembled() const;

 private:
  ElfFile(std::string_view file, const Elf64_Ehdr& header) : file_(file), header_(header) {}
  bool read_sections();

  std::string_view file_;
  Elf64_Ehdr header_;
  std::vector<Elf64_Shdr> sections_;
  std::map<std::size_t, std::string> replaced_;
};

// A section's content as a table of these; what is left over at its end is not in it.
template <class T>
std::vector<T> entries_of(std::string_view content) {
  std::vector<T> entries(content.size() / sizeof(T));
  if (!entries.empty()) std::memcpy(entries.data(), content.data(), entries.size() * sizeof(T));
  return entries;
}

template <class T>
std::string content_of(const std::vector<T>& entries) {
  return std::string(reinterpret_cast<const char*>(entries.data()), entries.size() * sizeof(T));
}

// The text that begins there, up to its end or the table's.
std::string_view text_at(std::string_view table, std::size_t offset);

}  // namespace sbx::backends::qemu
