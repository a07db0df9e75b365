// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "layers/documents.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::layers {
namespace {

constexpr std::int64_t kPlenty = 64 << 20;

// The archives that the fuzzer begins with.
std::string sample(const std::string& name) {
  return std::string(SANDBOXD_SOURCE_DIR) + "/tests/fuzz/corpus/layer/" + name;
}

Result<Documents> look(const std::string& file, std::int64_t most = kPlenty) {
  TRY_ASSIGN(const Fd fd, open_path(file, O_RDONLY));
  TRY_ASSIGN(const auto stream, TarStream::open(fd.get()));
  return documents_in(*stream, most);
}

TEST(DocumentsOfAnArchive, TellDockersFromAnImageLayoutAndATree) {
  const auto saved = look(sample("saved"));
  ASSERT_TRUE(saved) << saved.error().what();
  EXPECT_NE(saved->manifest.find("box:1"), std::string::npos);
  EXPECT_TRUE(saved->layout.empty());
  const auto layout = look(sample("layout"));
  EXPECT_EQ(layout->index, R"({"manifests":[]})");
  EXPECT_FALSE(layout->layout.empty());
  const auto tree = look(sample("tree"));
  EXPECT_TRUE(tree->has_entries && tree->manifest.empty() && tree->index.empty() && !tree->is_compressed);
}

TEST(DocumentsOfAnArchive, AreFoundThroughEachCompression) {
  for (const char* name : {"tree.gz", "tree.xz", "tree.zst"}) {
    const auto found = look(sample(name));
    ASSERT_TRUE(found) << name << found.error().what();
    EXPECT_TRUE(found->is_compressed && found->has_entries) << name;
  }
}

TEST(DocumentsOfAnArchive, AreNotLookedForWithoutEnd) {
  EXPECT_EQ(look(sample("tree.gz"), 1000).error().code(), Code::kInvalid);
  const testing::TemporaryDirectory directory;
  ASSERT_TRUE(write_file(directory / "text", "no archive"));
  EXPECT_FALSE(look(directory / "text"));
  ASSERT_TRUE(write_file(directory / "empty", ""));
  EXPECT_FALSE(look(directory / "empty")->has_entries);
}

}  // namespace
}  // namespace sbx::layers
