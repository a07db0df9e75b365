// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/module_file.h"

#include <elf.h>
#include <endian.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

namespace sbx::backends::qemu {
namespace {

// What follows a module: signature, struct module_signature, of which the last word is the signature's length, kMark.
constexpr std::string_view kMark = "~Module signature appended~\n";
constexpr std::size_t kSignatureHeader = 12;

constexpr std::array<std::string_view, 4> kDiagnostics{".BTF", ".orc_unwind", ".orc_unwind_ip", "__mcount_loc"};
constexpr unsigned char kOrder = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

bool occupies(const Elf64_Shdr& section) { return section.sh_type != SHT_NULL && section.sh_type != SHT_NOBITS; }

// An object, taken apart so that it can be put together again with fewer sections in it.
class Object {
 public:
  static std::optional<Object> parse(std::string_view file);

  void drop_diagnostics();
  std::string assembled() const;

 private:
  Object(std::string_view file, const Elf64_Ehdr& header) : file_(file), header_(header) {}
  bool read_sections();
  std::string_view content(const Elf64_Shdr& section) const;
  std::string_view name(const Elf64_Shdr& section) const;
  bool is_diagnostic(const Elf64_Shdr& section) const;

  std::string_view file_;
  Elf64_Ehdr header_;
  std::vector<Elf64_Shdr> sections_;
};

std::optional<Object> Object::parse(std::string_view file) {
  Elf64_Ehdr header{};
  if (file.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, file.data(), sizeof header);
  if (!file.starts_with(ELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != kOrder ||
      header.e_type != ET_REL || header.e_shentsize != sizeof(Elf64_Shdr))
    return std::nullopt;
  Object object(file, header);
  return object.read_sections() ? std::optional(std::move(object)) : std::nullopt;
}

bool Object::read_sections() {
  const std::size_t size = std::size_t{header_.e_shnum} * sizeof(Elf64_Shdr);
  if (header_.e_shoff > file_.size() || size > file_.size() - header_.e_shoff) return false;
  sections_.resize(header_.e_shnum);
  if (size != 0) std::memcpy(sections_.data(), file_.data() + header_.e_shoff, size);
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

std::string_view Object::content(const Elf64_Shdr& section) const {
  return occupies(section) ? file_.substr(section.sh_offset, section.sh_size) : std::string_view();
}

std::string_view Object::name(const Elf64_Shdr& section) const {
  const std::string_view names = content(sections_[header_.e_shstrndx]);
  const std::string_view rest = names.substr(std::min<std::size_t>(section.sh_name, names.size()));
  return rest.substr(0, rest.find('\0'));
}

bool Object::is_diagnostic(const Elf64_Shdr& section) const {
  return std::ranges::find(kDiagnostics, name(section)) != kDiagnostics.end();
}

// With the relocations that are for them.
void Object::drop_diagnostics() {
  std::vector<bool> dropped;
  for (const Elf64_Shdr& section : sections_) {
    const bool relocates = section.sh_type == SHT_RELA && section.sh_info < sections_.size();
    dropped.push_back(is_diagnostic(relocates ? sections_[section.sh_info] : section));
  }
  for (std::size_t i = 0; i < sections_.size(); ++i)
    if (dropped[i]) sections_[i] = Elf64_Shdr{};
}

std::string Object::assembled() const {
  std::string out(sizeof(Elf64_Ehdr), '\0');
  auto sections = sections_;
  const auto align = [&](std::size_t to) { out.resize((out.size() + to - 1) / to * to); };
  for (Elf64_Shdr& section : sections) {
    if (!occupies(section)) continue;
    align(std::clamp<std::size_t>(section.sh_addralign, 1, 4096));
    const std::string_view bytes = content(section);
    section.sh_offset = out.size();
    out += bytes;
  }
  align(alignof(Elf64_Shdr));
  Elf64_Ehdr header = header_;
  header.e_shoff = out.size();
  out.append(reinterpret_cast<const char*>(sections.data()), sections.size() * sizeof(Elf64_Shdr));
  std::memcpy(out.data(), &header, sizeof header);
  return out;
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
  auto object = Object::parse(module);
  if (!object) return module;
  object->drop_diagnostics();
  return object->assembled();
}

}  // namespace sbx::backends::qemu
