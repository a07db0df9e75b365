// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/saves.h"

#include <gtest/gtest.h>

#include <future>

#include "base/file.h"
#include "support/fake_world.h"

namespace sbx::sandboxes {
namespace {

using sbx::testing::FakeWorld;

// Sandboxes that do not run, whose files are packed by the real sandbox-layer. Those that run are in tests/e2e.
class SavesTest : public ::testing::Test {
 protected:
  SavesTest() {
    world_.before_template = [this](const std::string& name) { return world_.stored_template(name); };
    daemon_ = world_.daemon();
    EXPECT_TRUE(daemon_->creation.create(world_.request("box"), {}));
  }

  void change(const std::string& path, const std::string& content) {
    const std::string upper = world_.home.machine("box") + "/disk/upper";
    ASSERT_TRUE(make_directories(upper + "/home/agent", 0755));
    ASSERT_TRUE(write_file(upper + "/" + path, content, 0644));
  }
  images::LayerStore& layers() { return world_.template_store->layers(); }

  FakeWorld world_;
  std::unique_ptr<Sandboxes> daemon_;
};

TEST_F(SavesTest, NothingChangedIsNoLayerAndOneMoreName) {
  const auto layer = daemon_->saves.layer_of("box", {});
  ASSERT_TRUE(layer) << layer.error().what();
  EXPECT_FALSE(*layer);
  const auto saved = daemon_->saves.save("box", "org/box:1", {});
  ASSERT_TRUE(saved) << saved.error().what();
  EXPECT_EQ(saved->name, "org/box:1");
  EXPECT_EQ(saved->layers.size(), 1u);
  EXPECT_EQ(layers().list().size(), 1u);
}

TEST_F(SavesTest, ChangesAreALayerOnTheTemplateWithAStepOfHistory) {
  change("home/agent/new", "new");
  change("etc-hosts", "kept");
  const auto saved = daemon_->saves.save("box", "box:1", {});
  ASSERT_TRUE(saved) << saved.error().what();
  ASSERT_EQ(saved->layers.size(), 2u);
  EXPECT_EQ(read_file(layers().root(saved->layers[1]) + "/home/agent/new").value_or(""), "new");
  const auto config = images::ImageStore(world_.home.templates()).get(saved->digest);
  ASSERT_TRUE(config);
  EXPECT_EQ(config->history.back().created_by, "sandbox save box");
  const auto info = world_.template_store->find("box:1");
  ASSERT_TRUE(info) << info.error().what();
  EXPECT_EQ(info->source, "sandbox box");
}

TEST_F(SavesTest, WhatIsNoNameIsRefusedBeforeAnythingIsMade) {
  change("home/agent/new", "new");
  for (const char* tag : {"", "No Name", "shell", "box@sha256:0123"}) {
    const auto saved = daemon_->saves.save("box", tag, {});
    ASSERT_FALSE(saved) << tag;
    EXPECT_EQ(saved.error().code(), Code::kInvalid) << tag;
  }
  EXPECT_EQ(layers().list().size(), 1u);
}

TEST_F(SavesTest, ASandboxThatIsNoneIsNotFound) {
  EXPECT_EQ(daemon_->saves.save("none", "box:1", {}).error().code(), Code::kNotFound);
  EXPECT_EQ(daemon_->saves.layer_of("none", {}).error().code(), Code::kNotFound);
}

TEST_F(SavesTest, AGuestThatNeverComesToTheEndKeepsNoStopAndNoRemovalWaiting) {
  const auto events = daemon_->events.listen();
  for (const std::string name : {"stopped", "removed"}) {
    ASSERT_TRUE(daemon_->creation.create(world_.request(name, "chatty"), {}));
    ASSERT_TRUE(daemon_->lifecycle.start(name));
    auto saved = std::async(std::launch::async, [&] { return daemon_->saves.layer_of(name, {}); });
    while (events->next(std::chrono::seconds(1)).value_or(wire::Event{}).kind != wire::EventKind::kExecStart) continue;
    EXPECT_TRUE(name == "stopped" ? daemon_->lifecycle.stop(name, {}).has_value()
                                  : daemon_->removal.remove(name).has_value());
    EXPECT_FALSE(saved.get());
  }
}

TEST_F(SavesTest, AnArchiveNamesTheLayersThatItHas) {
  change("home/agent/new", "new");
  ASSERT_TRUE(daemon_->saves.save("box", "box:1", {}));
  const auto file = daemon_->saves.archive("box:1");
  ASSERT_TRUE(file) << file.error().what();
  std::string bytes;
  const auto written = file->write([&bytes](std::string_view more) -> Result<> {
    bytes += more;
    return Ok{};
  });
  ASSERT_TRUE(written) << written.error().what();
  EXPECT_NE(bytes.find(R"("RepoTags":["box:1"])"), std::string::npos);
  // The lowest was never packed by us: what is written is the digest of what is there now.
  EXPECT_EQ(bytes.find(world_.template_digest), std::string::npos);
  EXPECT_EQ(daemon_->saves.archive("none").error().code(), Code::kNotFound);
}

}  // namespace
}  // namespace sbx::sandboxes
