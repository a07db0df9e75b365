// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/kernel_symbols.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "backends/qemu/sample_object.h"

namespace sbx::backends::qemu {
namespace {

constexpr std::uint64_t kTableAddress = 0xffffffff82000000;
constexpr std::uint64_t kFreeTable = 0xffffffff82001000;
constexpr std::uint64_t kTexts = 0xffffffff82002000;
constexpr std::uint64_t kFunction = 0xffffffff81234560;
constexpr std::uint64_t kOfProcessor = 0x1f040;  // in every processor's area

struct Exported {
  std::uint64_t value;
  std::string name;
  std::string name_space;
};

// Tables as a kernel has them, and the texts that they point to.
class Tables {
 public:
  std::string of(std::uint64_t at, const std::vector<Exported>& all) {
    std::string table;
    for (const Exported& one : all)
      for (const std::uint64_t target : {one.value, text(one.name), text(one.name_space)})
        table += bytes(static_cast<std::int32_t>(target - (at + table.size())));
    return table;
  }
  const std::string& texts() const { return texts_; }

  static std::string bytes(std::int32_t word) { return {reinterpret_cast<const char*>(&word), sizeof word}; }

 private:
  std::uint64_t text(const std::string& value) {
    const std::uint64_t at = kTexts + texts_.size();
    texts_ += value + '\0';
    return at;
  }

  std::string texts_;
};

std::string sums(std::initializer_list<std::int32_t> words) {
  std::string all;
  for (const std::int32_t word : words) all += Tables::bytes(word);
  return all;
}

std::string kernel_with(const std::string& checksums, Elf64_Half type = ET_EXEC) {
  Tables tables;
  const std::string table = tables.of(kTableAddress, {{kFunction, "kfree", ""}, {kFunction + 1, "hidden", "CRYPTO"}});
  const std::string free = tables.of(kFreeTable, {{kOfProcessor, "cpu_number", ""}});
  return testing::sample_object({{"__ksymtab", table, SHT_PROGBITS, 0, 0, kTableAddress},
                                 {"__ksymtab_gpl", free, SHT_PROGBITS, 0, 0, kFreeTable},
                                 {"__kcrctab", checksums, SHT_PROGBITS, 0, 0, kTableAddress + 0x800},
                                 {"__kcrctab_gpl", sums({33}), SHT_PROGBITS, 0, 0, kFreeTable + 0x800},
                                 {"__ksymtab_strings", tables.texts(), SHT_PROGBITS, 0, 0, kTexts}},
                                type);
}

TEST(KernelSymbols, AreTheAddressesThatTheKernelWouldFind) {
  const auto symbols = exported_symbols(kernel_with(sums({11, 22})));
  ASSERT_TRUE(symbols.contains("kfree"));
  EXPECT_EQ(symbols.at("kfree").address, kFunction);
  EXPECT_EQ(symbols.at("kfree").checksum, 11u);
  ASSERT_TRUE(symbols.contains("cpu_number"));
  EXPECT_EQ(symbols.at("cpu_number").address, kOfProcessor);
  EXPECT_EQ(symbols.at("cpu_number").checksum, 33u);
}

TEST(KernelSymbols, ThoseOfANamespaceAreLeftOut) {
  EXPECT_FALSE(exported_symbols(kernel_with(sums({11, 22}))).contains("hidden"));
}

TEST(KernelSymbols, ATableWithoutAChecksumForEachIsLeftOut) {
  const auto symbols = exported_symbols(kernel_with(sums({11})));
  EXPECT_FALSE(symbols.contains("kfree"));
  EXPECT_TRUE(symbols.contains("cpu_number"));
}

TEST(KernelSymbols, OfAKernelThatMayBeMovedNothingIsKnown) {
  EXPECT_TRUE(exported_symbols(kernel_with(sums({11, 22}), ET_DYN)).empty());
  EXPECT_TRUE(exported_symbols("a bzImage").empty());
  EXPECT_TRUE(exported_symbols("").empty());
}

TEST(KernelSymbols, AKernelThatLiesDoesNoHarm) {
  const std::string whole = kernel_with(sums({11, 22}));
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char value : {'\x00', '\x7f', '\xff'}) {
      std::string file = whole;
      file[at] = value;
      EXPECT_LE(exported_symbols(file).size(), 3u);
    }
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_TRUE(exported_symbols(std::string_view(whole).substr(0, size)).empty());
}

}  // namespace
}  // namespace sbx::backends::qemu
