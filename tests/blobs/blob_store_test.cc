// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "blobs/blob_store.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::blobs {
namespace {

using sbx::testing::TemporaryDirectory;

constexpr std::uint64_t kLimit = 1000;
constexpr const char* kRegistry = "https://registry.test:443";

BlobId id_of(const std::string& content, const std::string& origin = kRegistry) {
  return {origin, digest::sha256_of(content)};
}

class BlobStoreTest : public ::testing::Test {
 protected:
  BlobStore open() { return *BlobStore::open(*open_path(directory_.path(), O_RDONLY | O_DIRECTORY), kLimit); }
  static Result<> put(const BlobStore& store, const std::string& content) {
    TRY_ASSIGN(NewBlob blob, store.begin(id_of(content), content.size()));
    TRY(blob.append(content));
    return blob.finish();
  }
  // When it was used last, some seconds after the beginning of time.
  void age(const std::string& content, time_t when) {
    const timespec times[2] = {{when, 0}, {when, 0}};
    const std::string file = directory_ / file_name(id_of(content));
    ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
  }
  std::size_t files() const { return names_in(directory_.path()).size() - 1; }  // without the lock

  TemporaryDirectory directory_;
};

TEST_F(BlobStoreTest, KeepsWhatHasItsDigest) {
  const BlobStore store = open();
  ASSERT_TRUE(put(store, "a layer"));
  const auto found = open().find(id_of("a layer"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->size, 7u);
  EXPECT_EQ(*read_all(found->file, 100), "a layer");
}

TEST_F(BlobStoreTest, KeepsNothingElse) {
  const BlobStore store = open();
  {
    auto other = *store.begin(id_of("a layer"), 7);
    ASSERT_TRUE(other.append("a liar!"));
    EXPECT_FALSE(other.finish());
  }
  {
    auto early = *store.begin(id_of("a layer"), 7);
    ASSERT_TRUE(early.append("a lay"));
    EXPECT_FALSE(early.finish());
  }
  {
    auto late = *store.begin(id_of("a layer"), 3);
    EXPECT_FALSE(late.append("a layer"));
  }
  EXPECT_FALSE(store.find(id_of("a layer")));
  EXPECT_EQ(files(), 0u);
}

TEST_F(BlobStoreTest, ABlobOfOneRegistryIsNotAnothers) {
  const BlobStore store = open();
  ASSERT_TRUE(put(store, "a layer"));
  EXPECT_FALSE(store.find(id_of("a layer", "https://other.test:443")));
  EXPECT_FALSE(store.find(id_of("a layer", "http://registry.test:443")));
}

TEST_F(BlobStoreTest, WhatWasUsedLongestAgoGivesWay) {
  const BlobStore store = open();
  const std::string a(400, 'a'), b(400, 'b'), c(400, 'c');
  ASSERT_TRUE(put(store, a));
  ASSERT_TRUE(put(store, b));
  age(a, 1000);
  age(b, 2000);
  ASSERT_TRUE(store.find(id_of(a)));  // uses it
  ASSERT_TRUE(put(store, c));
  EXPECT_TRUE(store.find(id_of(a)));
  EXPECT_FALSE(store.find(id_of(b)));
  EXPECT_TRUE(store.find(id_of(c)));
}

TEST_F(BlobStoreTest, WhatIsOnItsWayCounts) {
  const BlobStore store = open();
  const auto first = store.begin(id_of("first"), 600);
  ASSERT_TRUE(first);
  const auto second = open().begin(id_of("second"), 600);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), Code::kTooLarge);
}

TEST_F(BlobStoreTest, ABlobLargerThanAllOfItTakesNothingAway) {
  const BlobStore store = open();
  ASSERT_TRUE(put(store, "a layer"));
  EXPECT_FALSE(store.begin(id_of("huge"), kLimit + 1));
  EXPECT_TRUE(store.find(id_of("a layer")));
}

TEST_F(BlobStoreTest, ASizeThatIsOnlySaidTakesNothingAway) {
  constexpr std::uint64_t kLarge = std::uint64_t{1} << 30;
  const auto store = BlobStore::open(*open_path(directory_.path(), O_RDONLY | O_DIRECTORY), kLarge);
  ASSERT_TRUE(store);
  ASSERT_TRUE(put(*store, "a layer"));
  const auto stalled = store->begin(id_of("huge"), kLarge);
  ASSERT_TRUE(stalled);
  EXPECT_TRUE(store->find(id_of("a layer")));
  EXPECT_TRUE(store->begin(id_of("other"), kLarge / 2));
}

TEST_F(BlobStoreTest, WhatComesBeyondTheFirstBytesHasRoomToo) {
  constexpr std::uint64_t kLarge = std::uint64_t{200} << 20;
  const auto store = BlobStore::open(*open_path(directory_.path(), O_RDONLY | O_DIRECTORY), kLarge);
  ASSERT_TRUE(store);
  const std::string piece(std::size_t{1} << 20, 'x');
  std::string content;
  for (int i = 0; i < 70; ++i) content += piece;
  auto blob = store->begin(id_of(content), content.size());
  ASSERT_TRUE(blob);
  for (int i = 0; i < 70; ++i) ASSERT_TRUE(blob->append(piece));
  ASSERT_TRUE(blob->finish());
  EXPECT_EQ(store->find(id_of(content))->size, content.size());
}

TEST_F(BlobStoreTest, WhatAProcessLeftThatDiedIsRemoved) {
  const BlobStore store = open();
  const pid_t child = ::fork();
  if (child == 0) {
    auto blob = open().begin(id_of("a layer"), 900);
    ::_exit(blob && blob->append("a") ? 0 : 1);  // without its destructors
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(files(), 1u);
  EXPECT_TRUE(store.begin(id_of("other"), 900));
}

TEST_F(BlobStoreTest, WhatAnotherProcessWritesIsLeftAlone) {
  auto blob = *open().begin(id_of("a layer"), 7);
  const BlobStore next = open();
  ASSERT_TRUE(blob.append("a layer"));
  EXPECT_TRUE(blob.finish());
  EXPECT_TRUE(next.find(id_of("a layer")));
}

TEST_F(BlobStoreTest, ALinkInItsPlaceIsNotFollowed) {
  const std::string name = directory_ / file_name(id_of("a layer"));
  ASSERT_EQ(::symlink("/etc/passwd", name.c_str()), 0);
  EXPECT_FALSE(open().find(id_of("a layer")));
}

TEST(BlobId, IsAnOriginAndADigest) {
  EXPECT_TRUE(is_well_formed(id_of("")));
  EXPECT_FALSE(is_well_formed({kRegistry, "abc"}));
  EXPECT_FALSE(is_well_formed({kRegistry, std::string(64, 'A')}));
  EXPECT_FALSE(is_well_formed({"", digest::sha256_of("")}));
  EXPECT_FALSE(is_file_name("../" + std::string(61, 'a')));
}

}  // namespace
}  // namespace sbx::blobs
