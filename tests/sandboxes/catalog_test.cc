// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/catalog.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/daemon_test.h"
#include "support/paths.h"

namespace sbx::sandboxes {
namespace {

class CatalogTest : public sbx::testing::DaemonTest {
 protected:
  // A template with one file, by that name, from the root file system that the fuzzer begins with.
  std::string load(const std::string& name) {
    auto archive = daemon->catalog.receive();
    const auto bytes = read_file(sbx::testing::source_file("tests/fuzz/corpus/layer/tree.xz"));
    EXPECT_TRUE(archive && bytes && archive->write(*bytes));
    const auto loaded = daemon->catalog.load(*archive, name, nullptr);
    EXPECT_TRUE(loaded) << loaded.error().what();
    return loaded ? loaded->templates.front().digest : "";
  }
};

TEST_F(CatalogTest, KnowsWhoUsesWhat) {
  world.template_digest = load("box").substr(7);
  make("two");
  make("one");
  EXPECT_EQ(daemon->catalog.details("box")->used_by, (std::vector<std::string>{"one", "two"}));
  const auto removed = daemon->catalog.remove("box");
  ASSERT_FALSE(removed);
  EXPECT_EQ(removed.error().what(), "template box is used by one, two");
  EXPECT_EQ(removed.error().hint(), "sandbox rm one two");
}

TEST_F(CatalogTest, RemovesNothingWhileASandboxDoesNotSayWhatItUses) {
  world.template_digest = load("box").substr(7);
  make("bad");
  ASSERT_TRUE(replace_file(world.home.machine("bad") + "/metadata.json", "garbage"));
  daemon = world.daemon();
  for (const auto& removed : {daemon->catalog.remove("box"), daemon->catalog.prune({true})}) {
    ASSERT_FALSE(removed);
    EXPECT_EQ(removed.error().code(), Code::kConflict);
    EXPECT_EQ(removed.error().hint(), "sandbox rm bad");
  }
  ASSERT_TRUE(daemon->removal.remove("bad"));
  EXPECT_EQ(daemon->catalog.prune({true})->names, std::vector<std::string>{"box:latest"});
}

TEST_F(CatalogTest, AHistoryIsTheNewestStepFirst) {
  load("box");
  const auto history = daemon->catalog.history("box");
  ASSERT_EQ(history->steps.size(), 1u);
  EXPECT_EQ(history->steps[0].layer, daemon->catalog.details("box")->layers[0].digest);
  EXPECT_GT(history->steps[0].bytes, 0);
}

}  // namespace
}  // namespace sbx::sandboxes
