// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/return_sites.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "backends/qemu/elf_file.h"

namespace sbx::backends::qemu {
namespace {

constexpr std::string_view kThunk = "__x86_return_thunk";
constexpr std::string_view kJump("\xe9\0\0\0\0", 5);            // to where the relocation says
constexpr std::string_view kReturn("\xc3\xcc\xcc\xcc\xcc", 5);  // and what must never run
constexpr std::int64_t kFromJumpEnd = -4;                       // a jump counts from its end

using Places = std::map<std::size_t, std::set<std::uint64_t>>;  // offsets in sections

std::optional<std::size_t> relocations_for(const ElfFile& module, std::size_t number) {
  for (std::size_t i = 0; i < module.size(); ++i)
    if (module.section(i).sh_type == SHT_RELA && module.section(i).sh_info == number) return i;
  return std::nullopt;
}

class Returns {
 public:
  explicit Returns(ElfFile& module) : module_(module) {}

  // Where they are; nothing if that is not all of them.
  bool find();
  // Nothing is assembled from a module of which this failed.
  bool replace();

 private:
  bool replace_in(std::size_t section, const std::set<std::uint64_t>& offsets);
  bool is_jump_to_thunk(const Elf64_Rela& relocation) const;

  ElfFile& module_;
  std::size_t sites_ = 0;
  std::size_t relocations_ = 0;
  std::vector<Elf64_Sym> symbols_;
  std::string_view names_;
  Places places_;
};

bool Returns::find() {
  const auto sites = module_.find(".return_sites");
  const auto table = module_.find_type(SHT_SYMTAB);
  const auto relocations = sites ? relocations_for(module_, *sites) : std::nullopt;
  if (!relocations || !table || module_.section(*table).sh_link >= module_.size()) return false;
  sites_ = *sites;
  relocations_ = *relocations;
  symbols_ = entries_of<Elf64_Sym>(module_.content(*table));
  names_ = module_.content(module_.section(*table).sh_link);
  std::size_t found = 0;
  for (const auto& [offset, info, addend] : entries_of<Elf64_Rela>(module_.content(relocations_))) {
    const std::size_t symbol = ELF64_R_SYM(info);
    if (ELF64_R_TYPE(info) != R_X86_64_PC32 || symbol >= symbols_.size()) return false;
    const std::uint64_t place = symbols_[symbol].st_value + static_cast<std::uint64_t>(addend);
    found += places_[symbols_[symbol].st_shndx].insert(place).second ? 1 : 0;
  }
  return found * sizeof(std::int32_t) == module_.content(sites_).size();
}

bool Returns::is_jump_to_thunk(const Elf64_Rela& relocation) const {
  const std::size_t symbol = ELF64_R_SYM(relocation.r_info);
  return ELF64_R_TYPE(relocation.r_info) == R_X86_64_PLT32 && relocation.r_addend == kFromJumpEnd &&
         symbol < symbols_.size() && symbols_[symbol].st_shndx == SHN_UNDEF &&
         text_at(names_, symbols_[symbol].st_name) == kThunk;
}

// The relocation of a jump goes with the jump.
bool Returns::replace_in(std::size_t section, const std::set<std::uint64_t>& offsets) {
  const auto number = section < module_.size() ? relocations_for(module_, section) : std::nullopt;
  if (!number) return false;
  std::string code(module_.content(section));
  for (const std::uint64_t offset : offsets) {
    if (offset > code.size() || std::string_view(code).substr(offset, kJump.size()) != kJump) return false;
    code.replace(offset, kReturn.size(), kReturn);
  }
  auto relocations = entries_of<Elf64_Rela>(module_.content(*number));
  const std::size_t dropped = std::erase_if(relocations, [&](const Elf64_Rela& relocation) {
    return offsets.contains(relocation.r_offset - 1) && is_jump_to_thunk(relocation);
  });
  if (dropped != offsets.size()) return false;
  module_.replace(section, std::move(code));
  module_.replace(*number, content_of(relocations));
  return true;
}

bool Returns::replace() {
  for (const auto& [section, offsets] : places_)
    if (!replace_in(section, offsets)) return false;
  module_.drop(sites_);
  module_.drop(relocations_);
  return true;
}

}  // namespace

std::string with_plain_returns(std::string module) {
  auto file = ElfFile::parse(module, ET_REL);
  if (!file) return module;
  Returns returns(*file);
  return returns.find() && returns.replace() ? file->assembled() : module;
}

}  // namespace sbx::backends::qemu
