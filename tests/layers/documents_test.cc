// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "layers/documents.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"
#include "support/paths.h"
#include "support/temporary_directory.h"

namespace sbx::layers {
namespace {

constexpr std::int64_t kPlenty = 64 << 20;

// The archives that the fuzzer begins with.
std::string sample(const std::string& name) { return sbx::testing::source_file("tests/fuzz/corpus/layer/" + name); }

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

TEST(DocumentsOfAnArchive, AreFoundBehindAFileThatIsPassedOver) {
  const testing::TemporaryDirectory directory;
  ASSERT_TRUE(make_directories(directory / "tree", 0755));
  ASSERT_TRUE(write_file(directory / "tree/large", std::string(3 << 20, 'x')));
  ASSERT_TRUE(write_file(directory / "tree/manifest.json", "[]"));
  Command tar;
  tar.argv = {"tar", "-C", directory / "tree", "-cf", directory / "archive", "large", "manifest.json"};
  ASSERT_TRUE(run(tar));
  EXPECT_EQ(look(directory / "archive")->manifest, "[]");
  ASSERT_EQ(::truncate((directory / "archive").c_str(), 2 << 20), 0);
  EXPECT_FALSE(look(directory / "archive")) << "what is cut off is no archive";
}

TEST(DocumentsOfAnArchive, HaveConfigurationsByTheirNamesAsFarAsThereIsRoom) {
  const testing::TemporaryDirectory directory;
  ASSERT_TRUE(make_directories(directory / "tree/blobs/sha256", 0755));
  const std::string first(64, 'a');
  const std::string second(64, 'b');
  const std::string large(64, 'c');
  const std::string layer(64, 'd');
  ASSERT_TRUE(write_file(directory / "tree/" + first + ".json", R"({"os":"linux"})"));
  ASSERT_TRUE(write_file(directory / "tree/blobs/sha256/" + second, R"({"rootfs":{}})"));
  ASSERT_TRUE(write_file(directory / "tree/blobs/sha256/" + large, "{" + std::string(1 << 20, ' ')));
  ASSERT_TRUE(write_file(directory / "tree/blobs/sha256/" + layer, "\x1f\x8b a layer"));
  ASSERT_TRUE(write_file(directory / "tree/other.json", "{}"));
  Command tar;
  tar.argv = {"tar", "-C", directory / "tree", "--sort=name", "-cf", directory / "archive", "."};
  ASSERT_TRUE(run(tar));
  const auto found = look(directory / "archive");
  ASSERT_TRUE(found) << found.error().what();
  EXPECT_EQ(found->configs, (std::vector<std::string>{R"({"os":"linux"})", R"({"rootfs":{}})"}));
}

TEST(DocumentsOfAnArchive, DigestsAreNamesOfTwoKinds) {
  const std::string digits(64, '7');
  EXPECT_EQ(digest_in_name(digits + ".json"), digits);
  EXPECT_EQ(digest_in_name("blobs/sha256/" + digits), digits);
  for (const std::string& name : {digits, digits + ".tar", "7" + digits + ".json", "blobs/sha512/" + digits,
                                  "blobs/sha256/" + digits + ".json", std::string(64, 'A') + ".json", std::string()})
    EXPECT_EQ(digest_in_name(name), "") << name;
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
