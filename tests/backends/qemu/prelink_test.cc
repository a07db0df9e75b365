// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/prelink.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "backends/qemu/bzimage.h"
#include "backends/qemu/elf_file.h"
#include "backends/qemu/kernel.h"
#include "backends/qemu/modules.h"
#include "backends/qemu/sample_object.h"
#include "base/file.h"

namespace sbx::backends::qemu {
namespace {

using testing::section_content;

constexpr std::size_t kVersions = 1;
constexpr std::size_t kSymbolTable = 3;
constexpr std::uint64_t kAddress = 0xffffffff81234560;

std::string version(std::uint64_t checksum, const std::string& name) {
  std::string text = name;
  text.resize(56);
  return std::string(reinterpret_cast<const char*>(&checksum), sizeof checksum) + text;
}

// Takes kfree, and what another module exports; has a symbol of its own.
std::string module_with(const std::string& versions, const std::string& licence = "license=GPL") {
  std::string names(1, '\0');
  std::vector<Elf64_Sym> table(1);
  const auto add = [&](const std::string& name, Elf64_Half section, Elf64_Addr value) {
    Elf64_Sym symbol{};
    symbol.st_name = static_cast<Elf64_Word>(names.size());
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE);
    symbol.st_shndx = section;
    symbol.st_value = value;
    names += name + '\0';
    table.push_back(symbol);
  };
  add("kfree", SHN_UNDEF, 0);
  add("register_virtio_driver", SHN_UNDEF, 0);
  add("init_module", 4, 16);
  return testing::sample_object({{"__versions", versions},
                                 {".modinfo", std::string("name=a\0", 7) + licence + '\0'},
                                 {".symtab", content_of(table), SHT_SYMTAB, 1, 5},
                                 {".init.text", "code"},
                                 {".strtab", names, SHT_STRTAB}});
}

std::vector<Elf64_Sym> symbols_of(const std::string& file) {
  return entries_of<Elf64_Sym>(section_content(file, kSymbolTable));
}

const KernelSymbols kSymbols{{"kfree", {kAddress, 11}}, {"module_layout", {kAddress, 1}}};

TEST(Prelink, WhatTheKernelExportsIsPutInAndItsVersionIsDropped) {
  const std::string layout = version(1, "module_layout");
  const std::string other = version(22, "register_virtio_driver");
  const std::string linked = prelinked(module_with(layout + version(11, "kfree") + other), kSymbols);
  const auto symbols = symbols_of(linked);
  EXPECT_EQ(symbols.at(1).st_shndx, SHN_ABS);
  EXPECT_EQ(symbols.at(1).st_value, kAddress);
  EXPECT_EQ(symbols.at(2).st_shndx, SHN_UNDEF) << "another module's";
  EXPECT_EQ(symbols.at(3).st_shndx, 4);
  EXPECT_EQ(symbols.at(3).st_value, 16u);
  EXPECT_EQ(section_content(linked, kVersions), layout + other);
  EXPECT_EQ(section_content(linked, 4), "code");
}

TEST(Prelink, ASymbolOfAnotherVersionIsLeftForTheKernelToRefuse) {
  const std::string whole = module_with(version(12, "kfree"));
  EXPECT_EQ(prelinked(whole, kSymbols), whole);
}

TEST(Prelink, OfTwoVersionsTheFirstCounts) {
  const std::string whole = module_with(version(12, "kfree") + version(11, "kfree"));
  EXPECT_EQ(prelinked(whole, kSymbols), whole);
}

TEST(Prelink, ASymbolWithoutAVersionIsLeftForTheKernelToLookUp) {
  const std::string whole = module_with(version(1, "module_layout"));
  EXPECT_EQ(prelinked(whole, kSymbols), whole);
}

TEST(Prelink, AModuleThatMayNotUseAllIsLeftAlone) {
  for (const char* licence : {"license=Proprietary", "license=", "author=GPL", "license=GPLx"}) {
    const std::string whole = module_with(version(11, "kfree"), licence);
    EXPECT_EQ(prelinked(whole, kSymbols), whole) << licence;
  }
  const std::string free = module_with(version(11, "kfree"), "license=Dual BSD/GPL");
  EXPECT_NE(prelinked(free, kSymbols), free);
}

TEST(Prelink, WithoutAKernelToLinkToNothingChanges) {
  const std::string whole = module_with(version(11, "kfree"));
  EXPECT_EQ(prelinked(whole, {}), whole);
  EXPECT_EQ(prelinked("no module", kSymbols), "no module");
}

TEST(Prelink, ATableThatLiesDoesNoHarm) {
  const std::string whole = module_with(version(11, "kfree"));
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char value : {'\x00', '\x7f', '\xff'}) {
      std::string file = whole;
      file[at] = value;
      EXPECT_LE(prelinked(file, kSymbols).size(), file.size() + 7 * 4096);
    }
}

std::size_t open_symbols(const std::string& module) {
  const auto file = ElfFile::parse(module, ET_REL);
  const auto table = entries_of<Elf64_Sym>(file->content(file->find_type(SHT_SYMTAB).value()));
  return static_cast<std::size_t>(
      std::ranges::count_if(table, [](const Elf64_Sym& symbol) { return symbol.st_shndx == SHN_UNDEF; }));
}

TEST(Prelink, AModuleOfThisHostsKernelThatNeedsNoOtherHasNothingOpen) {
  const auto kernel = find_kernel({});
  if (!kernel) GTEST_SKIP() << kernel.error().what();
  const auto image = read_file(kernel->image, 512u << 20);
  const auto uncompressed = image ? uncompressed_kernel(*image) : fail(image.error());
  if (!uncompressed) GTEST_SKIP() << uncompressed.error().what();
  const auto order = modules_in_order(*kernel, std::vector<std::string_view>{"overlay"});
  if (!order || order->size() != 1) GTEST_SKIP() << "overlay is built in, or needs others";
  const ModuleTarget target{exported_symbols(*uncompressed)};
  if (target.symbols.empty()) GTEST_SKIP() << kernel->release << " has no versions of symbols";
  const auto linked = loadable_module(*kernel, target, order->front());
  ASSERT_TRUE(linked) << linked.error().what();
  EXPECT_EQ(open_symbols(*linked), 1u) << "the first entry, which is none";
}

}  // namespace
}  // namespace sbx::backends::qemu
