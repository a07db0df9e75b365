// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/elf_file.h"

#include <gtest/gtest.h>

#include "backends/qemu/sample_object.h"

namespace sbx::backends::qemu {
namespace {

using testing::section_content;
using testing::sections_of;

const std::string kSample = testing::sample_object(
    {{"a", "first"}, {"twice", "x"}, {"twice", "y"}, {"notes", "n", SHT_NOTE}, {"empty", "", SHT_NOBITS}});

TEST(ElfFile, ASectionIsFoundByWhatOnlyItHas) {
  const auto file = ElfFile::parse(kSample, ET_REL);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->find("a"), 1u);
  EXPECT_EQ(file->content(1), "first");
  EXPECT_EQ(file->find("twice"), std::nullopt);
  EXPECT_EQ(file->find("none"), std::nullopt);
  EXPECT_EQ(file->find_type(SHT_NOTE), 4u);
  EXPECT_EQ(file->find_type(SHT_PROGBITS), std::nullopt);
  EXPECT_EQ(file->find_type(SHT_SYMTAB), std::nullopt);
}

TEST(ElfFile, OneOfAnotherTypeIsNotParsed) { EXPECT_FALSE(ElfFile::parse(kSample, ET_EXEC)); }

TEST(ElfFile, AReplacedSectionMayBeOfAnySize) {
  auto file = ElfFile::parse(kSample, ET_REL);
  ASSERT_TRUE(file);
  file->replace(1, std::string(1000, 'r'));
  file->replace(2, "");
  file->replace(3, "dropped after all");
  file->drop(3);
  const std::string assembled = file->assembled();
  EXPECT_EQ(section_content(assembled, 1), std::string(1000, 'r'));
  EXPECT_EQ(section_content(assembled, 2), "");
  EXPECT_EQ(sections_of(assembled).at(3).sh_type, SHT_NULL);
  EXPECT_EQ(section_content(assembled, 4), "n");
  EXPECT_EQ(assembled.find("dropped"), std::string::npos);
}

TEST(ElfFile, TextsEndWithTheirTable) {
  const std::string_view table("one\0two", 7);
  EXPECT_EQ(text_at(table, 0), "one");
  EXPECT_EQ(text_at(table, 4), "two");
  EXPECT_EQ(text_at(table, 7), "");
  EXPECT_EQ(text_at(table, 1000), "");
}

TEST(ElfFile, WhatIsLeftOverOfATableIsNotInIt) {
  EXPECT_EQ(entries_of<char>("abc").size(), 3u);
  EXPECT_EQ(entries_of<int>("abcdefg").size(), 1u);
  EXPECT_TRUE(entries_of<int>("abc").empty());
}

}  // namespace
}  // namespace sbx::backends::qemu
