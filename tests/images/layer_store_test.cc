// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/layer_store.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "digest/sha256.h"
#include "support/paths.h"
#include "support/temporary_directory.h"

namespace sbx::images {
namespace {

// With the real sandbox-layer at both ends, as sandbox save uses it.
class ChangesInStore : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "ids of a guest are only root's to give";
    ASSERT_TRUE(make_directories(upper_ + "/etc", 0755));
  }

  Result<std::optional<layers::Unpacked>> add(const LayerStore::Source& source = {}) {
    layers::PackJob job;
    job.directory = upper_;
    TRY_ASSIGN(Packer packer, store_.pack(job, {}));
    return store_.add_changes(packer.take_output(), [&] { return source ? source() : packer.finish(); }, {});
  }
  std::vector<std::string> scratch() const {
    std::vector<std::string> found;
    for (const std::string& name : names_in(templates_))
      if (name.starts_with("tmp-")) found.push_back(name);
    return found;
  }

  sbx::testing::TemporaryDirectory world_;
  std::string templates_ = world_ / "templates";
  std::string upper_ = world_ / "upper";
  LayerStore store_{templates_, sbx::testing::built_program("sandbox-layer")};
};

TEST_F(ChangesInStore, AreALayerThatIsPackedToTheSameDigestAgain) {
  ASSERT_TRUE(write_file(upper_ + "/etc/new", "new", 0644));
  const auto layer = add();
  ASSERT_TRUE(layer) << layer.error().what();
  ASSERT_TRUE(*layer);
  EXPECT_TRUE(store_.has((*layer)->diff_id));
  auto packer = store_.pack((*layer)->diff_id);
  ASSERT_TRUE(packer) << packer.error().what();
  const auto again = read_all(packer->take_output(), 1u << 20);
  ASSERT_TRUE(packer->finish());
  EXPECT_EQ("sha256:" + digest::sha256_of(*again), (*layer)->diff_id);
}

TEST_F(ChangesInStore, ThatAreNoneAreNoLayer) {
  ASSERT_TRUE(write_file(upper_ + "/etc/hosts", "its own", 0644));
  const auto layer = add();
  ASSERT_TRUE(layer) << layer.error().what();
  EXPECT_FALSE(*layer);
  EXPECT_TRUE(store_.list().empty());
  EXPECT_TRUE(scratch().empty());
}

// What came may look whole.
TEST_F(ChangesInStore, OfASourceThatFailedAreNotKept) {
  ASSERT_TRUE(write_file(upper_ + "/etc/new", "new", 0644));
  const auto layer = add([]() -> Result<> { return fail(Code::kUnavailable, "the guest has gone"); });
  ASSERT_FALSE(layer);
  EXPECT_EQ(layer.error().what(), "the guest has gone");
  EXPECT_TRUE(store_.list().empty());
  EXPECT_TRUE(scratch().empty());
}

TEST_F(ChangesInStore, AreRefusedWithThePackersReason) {
  ASSERT_TRUE(write_file(upper_ + "/etc/new", "new", 0644));
  layers::PackJob job;
  job.directory = upper_;
  job.uids = {{0, 900000, 10}};
  auto packer = store_.pack(job, {});
  ASSERT_TRUE(packer);
  const auto layer = store_.add_changes(packer->take_output(), [&] { return packer->finish(); }, {});
  ASSERT_FALSE(layer);
  EXPECT_NE(layer.error().what().find("belongs to no one"), std::string::npos);
  EXPECT_TRUE(store_.list().empty());
}

}  // namespace
}  // namespace sbx::images
