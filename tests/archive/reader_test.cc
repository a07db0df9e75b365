// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "archive/reader.h"

#include <gtest/gtest.h>

#include "archive/tape.h"

namespace sbx::archive {
namespace {

using test::Tape;

Result<Member> first_of(const Tape& tape) {
  ArchiveReader reader(test::source_of(tape.bytes));
  auto entry = reader.next();
  if (!entry) return fail(entry.error());
  if (!*entry) return fail(Code::kNotFound, "the archive is empty");
  return **entry;
}

TEST(ArchiveReader, ReadsAFileInPiecesOfAnySize) {
  Tape tape;
  tape.add('0', "a", "hello").add('5', "d/").end();
  for (const std::size_t piece : {1u, 7u, 512u, 100'000u}) {
    ArchiveReader reader(test::source_of(tape.bytes, piece));
    auto entry = reader.next();
    ASSERT_TRUE(entry && *entry) << entry.error().what();
    EXPECT_EQ((*entry)->size, 5);
    std::string content;
    for (auto part = reader.content(); !part->empty(); part = reader.content()) content += *part;
    EXPECT_EQ(content, "hello");
    entry = reader.next();
    ASSERT_TRUE(entry && *entry);
    EXPECT_EQ((*entry)->type, Type::kDirectory);
    EXPECT_FALSE(reader.next()->has_value());
  }
}

TEST(ArchiveReader, SkipsContentThatNobodyRead) {
  Tape tape;
  tape.add('0', "a", std::string(5000, 'x')).add('0', "b", "y").end();
  ArchiveReader reader(test::source_of(tape.bytes));
  ASSERT_EQ((**reader.next()).name, "a");
  EXPECT_EQ((**reader.next()).name, "b");
}

TEST(ArchiveReader, PaxRecordsOverrideTheHeader) {
  Tape tape;
  tape.add('x', "pax", record("path", "long") + record("mtime", "123.5") + record("comment", "x"))
      .add('0', "short")
      .end();
  const auto entry = first_of(tape);
  ASSERT_TRUE(entry) << entry.error().what();
  EXPECT_EQ(entry->name, "long");
  EXPECT_EQ(entry->mtime, 123);
  EXPECT_EQ(entry->mtime_ns, 500'000'000);
}

TEST(ArchiveReader, GnuLongNamesAreUnderstood) {
  const std::string name(300, 'n');
  const std::string link(200, 'l');
  Tape tape;
  tape.add('L', "././@LongLink", name + '\0').add('K', "././@LongLink", link + '\0').add('2', "cut", "", "cut").end();
  const auto entry = first_of(tape);
  ASSERT_TRUE(entry) << entry.error().what();
  EXPECT_EQ(entry->name, name);
  EXPECT_EQ(entry->link, link);
}

TEST(ArchiveReader, SizesOver8GiBComeFromPax) {
  Tape tape;
  tape.pax("size", "9000000000").add('0', "big");
  EXPECT_EQ(first_of(tape)->size, 9'000'000'000);
}

TEST(ArchiveReader, SizesOver8GiBComeFromBase256) {
  Block block = encode(BlockHeader{"big", "", '0', 0644, 0, 0});
  const std::string size("\x80\0\0\0\0\0\0\x02\x18\x71\x1a\0", 12);  // 9,000,000,000 rounded to a multiple of 256
  std::copy(size.begin(), size.end(), block.begin() + 124);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < block.size(); ++i)
    sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(block[i]);
  for (int i = 5; i >= 0; --i, sum >>= 3) block[static_cast<std::size_t>(148 + i)] = static_cast<char>('0' + (sum & 7));
  Tape tape;
  tape.bytes.assign(block.data(), block.size());
  const auto entry = first_of(tape);
  ASSERT_TRUE(entry) << entry.error().what();
  EXPECT_EQ(entry->size, 0x218711a00);
}

struct Bad {
  const char* what;
  std::string bytes;
};

std::vector<Bad> bad_archives() {
  Tape good;
  good.add('0', "a", "hello").end();
  std::string wrong_sum = good.bytes;
  wrong_sum[0] = 'b';
  Tape many;
  for (int i = 0; i < 20; ++i) many.pax("comment", "x");
  Tape long_name;
  long_name.pax("path", std::string(5000, 'n')).add('0', "a").end();
  Tape nul;
  nul.pax("path", std::string("a\0b", 3)).add('0', "a").end();
  return {
      {"nothing at all", ""},
      {"cut in a header", good.bytes.substr(0, 100)},
      {"cut in the content", good.bytes.substr(0, 514)},
      {"cut before the end mark", good.bytes.substr(0, 1024)},
      {"a wrong checksum", wrong_sum},
      {"too many extensions", many.bytes},
      {"a name over the bound", long_name.bytes},
      {"a NUL in a name", nul.bytes},
      {"an oversized extension", Tape().header({"x", "", 'x', 0, 1 << 30, 0}).bytes},
      {"a record without a length", Tape().add('x', "x", "path=a\n").add('0', "a").end().bytes},
      {"a record that is too long", Tape().add('x', "x", "99 path=a\n").add('0', "a").end().bytes},
      {"a record of length 0", Tape().add('x', "x", "0 path=a\n").add('0', "a").end().bytes},
      {"a negative size", Tape().pax("size", "-1").add('0', "a").end().bytes},
      {"a size that overflows", Tape().pax("size", "99999999999999999999").add('0', "a").end().bytes},
      {"a sparse file", Tape().pax("GNU.sparse.major", "1").add('0', "a").end().bytes},
      {"megabytes after the end", Tape().end().bytes + std::string(3u << 20, 'x')},
  };
}

TEST(ArchiveReader, BadArchivesAreErrors) {
  for (const auto& bad : bad_archives()) {
    ArchiveReader reader(test::source_of(bad.bytes));
    Result<std::optional<Member>> entry = std::optional<Member>();
    do entry = reader.next();
    while (entry && *entry);
    EXPECT_FALSE(entry) << bad.what;
  }
}

}  // namespace
}  // namespace sbx::archive
