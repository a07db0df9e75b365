// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/templates.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "base/child.h"
#include "base/home.h"
#include "base/text.h"
#include "idmap/idmap.h"
#include "support/paths.h"
#include "support/temporary_directory.h"

namespace sbx::images {
namespace {

using wire::Pull;

const std::string kLayerProgram = sbx::testing::built_program("sandbox-layer");

// A host whose mmdebstrap is a script of ours: everything around it is real.
class TemplatesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    old_path = std::getenv("PATH");
    ASSERT_TRUE(make_directories(bin, 0755));
    ::setenv("PATH", (bin + ":" + old_path).c_str(), 1);
    mmdebstrap(kGood);
  }
  void TearDown() override {
    ::setenv("PATH", old_path.c_str(), 1);
    EXPECT_TRUE(idmap::remove_guest_tree(directory));
  }

  static Result<InUse> nothing() { return InUse{}; }

  // Prints a tree with one file in it, which counts the builds.
  static constexpr const char* kGood =
      "echo build >> \"$COUNT\"\n"
      "mkdir -p tree/etc tree/dev && wc -l < \"$COUNT\" > tree/etc/build && : > tree/dev/null\n"
      "echo 'I: installing essential packages...' >&2\n"
      "tar -C tree -cf - .\n";

  void mmdebstrap(const std::string& body) {
    const std::string script = "#!/bin/sh\nset -e\nCOUNT='" + scratch / "count" + "'\n" + body;
    ASSERT_TRUE(write_file_atomically(bin + "/mmdebstrap", script, 0755));
    ASSERT_EQ(::chmod((bin + "/mmdebstrap").c_str(), 0755), 0);
  }
  std::size_t builds() {
    const auto count = read_file(scratch / "count");
    return count ? split(*count, '\n').size() - 1 : 0;
  }
  std::vector<std::string> entries() {
    std::vector<std::string> names;
    if (exists(directory))
      for (const auto& entry : std::filesystem::directory_iterator(directory)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  bool scratch_left() {
    for (const auto& name : entries())
      if (name.starts_with("tmp-")) return true;
    return false;
  }
  std::string root_of(const Template& got) { return Home(scratch.path()).layer(got.layers.front()); }
  const std::vector<std::string> kWhole{"build.lock", "images", "layers", "lock", "names"};
  const std::vector<std::string> kNothing{"build.lock", "lock"};

  // Waits for ever if a process that works there stays.
  void await_end_of_scratch() {
    if (!scratch_left()) return;
    const auto lock = open_path(directory + "/" + entries().back(), O_RDONLY | O_DIRECTORY);
    ASSERT_TRUE(lock);
    ASSERT_EQ(::flock(lock->get(), LOCK_EX), 0);
    ASSERT_EQ(::flock(lock->get(), LOCK_UN), 0);
  }

  // What a daemon of its own would do, in a process that may be killed.
  Child get_in_a_child(const std::string& fault = "none") {
    Command command;
    command.argv = {"env", "SANDBOXD_FAULT=" + fault, sbx::testing::built_program("build_template"), directory};
    auto child = Child::start(command);
    EXPECT_TRUE(child);
    return std::move(*child);
  }

  testing::TemporaryDirectory scratch;
  std::string bin = scratch / "bin";
  std::string directory = scratch / "templates";
  std::string old_path;
  Templates templates{directory, kLayerProgram};
};

TEST_F(TemplatesTest, ABuiltTemplateIsATreeNamedByItsContent) {
  const auto got = templates.get({"shell", Pull::kMissing}, nullptr);
  ASSERT_TRUE(got) << got.error().what();
  EXPECT_EQ(got->name, "shell");
  EXPECT_EQ(got->digest.size(), std::string("sha256:").size() + 64);
  ASSERT_EQ(got->layers.size(), 1u);
  EXPECT_TRUE(exists(root_of(*got) + "/etc/build"));
  EXPECT_EQ(got->config.user, "agent");
  EXPECT_EQ(entries(), kWhole);
}

TEST_F(TemplatesTest, TheSecondGetBuildsNothing) {
  const auto first = templates.get({"shell", Pull::kMissing}, nullptr);
  const auto second = Templates(directory, kLayerProgram).get({"shell", Pull::kNever}, nullptr);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->digest, second->digest);
  EXPECT_EQ(builds(), 1u);
}

TEST_F(TemplatesTest, AlwaysBuildsAnewAndLeavesTheOldTreeToItsUsers) {
  const auto first = templates.get({"shell", Pull::kMissing}, nullptr);
  const auto second = templates.get({"shell", Pull::kAlways}, nullptr);
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->digest, second->digest);
  EXPECT_TRUE(exists(root_of(*first) + "/etc/build"));
  EXPECT_EQ(templates.get({"shell", Pull::kMissing}, nullptr)->digest, second->digest);
}

TEST_F(TemplatesTest, TheSameContentAgainIsTheSameLayer) {
  mmdebstrap("mkdir -p tree && touch -d @0 tree && tar -C tree --sort=name --owner=0 --group=0 -cf - .\n");
  const auto first = templates.get({"shell", Pull::kMissing}, nullptr);
  const auto second = templates.get({"shell", Pull::kAlways}, nullptr);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->layers, second->layers);
  EXPECT_FALSE(scratch_left());
}

TEST_F(TemplatesTest, NeverFailsWhenThereIsNone) {
  const auto got = templates.get({"shell", Pull::kNever}, nullptr);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code(), Code::kNotFound);
  EXPECT_FALSE(got.error().hint().empty());
  EXPECT_EQ(builds(), 0u);
}

TEST_F(TemplatesTest, ADirectoryBehindASymbolicLinkWorks) {
  ASSERT_TRUE(make_directories(scratch / "elsewhere"));
  ASSERT_EQ(::symlink((scratch / "elsewhere").c_str(), directory.c_str()), 0);
  const auto got = templates.get({"shell", Pull::kMissing}, nullptr);
  ASSERT_TRUE(got) << got.error().what();
  EXPECT_TRUE(exists(scratch / "elsewhere" + root_of(*got).substr(directory.size()) + "/etc/build"));
  ASSERT_TRUE(idmap::remove_guest_tree(scratch / "elsewhere"));
}

TEST_F(TemplatesTest, ThreadsAndProcessesAtOnceBuildItOnce) {
  // The builder goes on only when somebody waits for it.
  mmdebstrap(std::string("while [ ! -e '") + (scratch / "waiting") + "' ]; do sleep 0.01; done\n" + kGood);
  Child child = get_in_a_child();
  while (!scratch_left()) ::usleep(1000);  // the child builds
  const auto note_waiting = [this](std::string_view step, std::int64_t, std::int64_t) {
    if (step != "waiting for another build") return;
    EXPECT_TRUE(write_file_atomically(scratch / "waiting", ""));
  };
  std::thread other([&] {
    EXPECT_TRUE(Templates(directory, kLayerProgram).get({"shell", Pull::kMissing}, note_waiting));
  });
  EXPECT_TRUE(templates.get({"shell", Pull::kMissing}, note_waiting));
  other.join();
  EXPECT_EQ(child.wait()->code, 0);
  EXPECT_EQ(builds(), 1u);
}

TEST_F(TemplatesTest, AFailedBuildSaysWhyAndLeavesNothing) {
  mmdebstrap("echo 'E: Unable to locate package nosuch' >&2\nexit 25\n");
  const auto got = templates.get({"shell", Pull::kMissing}, nullptr);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().what(), "build template shell: mmdebstrap: E: Unable to locate package nosuch");
  EXPECT_EQ(entries(), kNothing);
}

TEST_F(TemplatesTest, WhatIsNoArchiveIsNoTemplate) {
  mmdebstrap("echo this is not a tar archive\n");
  const auto got = templates.get({"shell", Pull::kMissing}, nullptr);
  ASSERT_FALSE(got);
  EXPECT_NE(got.error().what().find("read the layer"), std::string::npos) << got.error().what();
  EXPECT_EQ(entries(), kNothing);
}

TEST_F(TemplatesTest, WhenTheUnpackerGivesUpItsReasonIsSaidAndNotThePipesThatBreak) {
  mmdebstrap("trap '' PIPE\nyes this is not a tar archive | head -c 50000000\nexit 29\n");
  const auto got = templates.get({"shell", Pull::kMissing}, nullptr);
  ASSERT_FALSE(got);
  EXPECT_NE(got.error().what().find("read the layer"), std::string::npos) << got.error().what();
}

TEST_F(TemplatesTest, AnArchiveCutShortIsNoTemplate) {
  mmdebstrap(
      "mkdir -p tree && head -c 1000000 /dev/zero > tree/big && tar -C tree -cf - . | head -c 500000\nexit 25\n");
  ASSERT_FALSE(templates.get({"shell", Pull::kMissing}, nullptr));
  EXPECT_EQ(entries(), kNothing);
}

TEST_F(TemplatesTest, AMissingProgramIsNamedWithItsPackage) {
  ::unlink((bin + "/mmdebstrap").c_str());
  ASSERT_EQ(::symlink("/usr/bin/tar", (bin + "/tar").c_str()), 0);
  ::setenv("PATH", bin.c_str(), 1);
  const auto got = templates.get({"shell", Pull::kMissing}, nullptr);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().what(), "build template shell: mmdebstrap is not installed");
  EXPECT_EQ(got.error().hint(), "sudo apt-get install mmdebstrap");
}

// While a build runs, its processes hold the lock too: it is free only when the last of them is gone.
TEST_F(TemplatesTest, AKilledBuildTakesItsProcessesAlongAndIsSweptByTheNextGet) {
  mmdebstrap("echo started > '" + scratch / "started" + "'\nsleep 1000 & sleep 1000\n");
  Child child = get_in_a_child();
  while (!exists(scratch / "started")) ::usleep(1000);
  ASSERT_TRUE(child.signal(SIGKILL));
  EXPECT_EQ(child.wait()->signal, SIGKILL);
  ASSERT_TRUE(scratch_left());
  await_end_of_scratch();
  EXPECT_FALSE(templates.get({"shell", Pull::kNever}, nullptr));
  EXPECT_FALSE(scratch_left());
}

TEST_F(TemplatesTest, AKillAtAnyPointLeavesItUndoneOrDone) {
  for (const char* point : {"images.building", "images.unpacked", "images.renamed"}) {
    EXPECT_EQ(get_in_a_child(point).wait()->signal, SIGKILL) << point;
    await_end_of_scratch();
    const auto got = templates.get({"shell", Pull::kMissing}, nullptr);
    ASSERT_TRUE(got) << point << ": " << got.error().what();
    EXPECT_TRUE(exists(root_of(*got) + "/etc/build"));
    EXPECT_EQ(entries(), kWhole) << point;
    ASSERT_TRUE(idmap::remove_guest_tree(directory));
  }
}

TEST_F(TemplatesTest, AreListedWithNamesAndSize) {
  const auto got = templates.get({"shell"}, nullptr);
  ASSERT_TRUE(got);
  ASSERT_TRUE(templates.tag("shell", "org/mine:1"));
  const auto list = templates.list();
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].names, (std::vector<std::string>{"org/mine:1", "shell"}));
  EXPECT_EQ(list[0].layers, got->layers);
  EXPECT_GT(list[0].bytes, 0);
  for (const std::string& name : {std::string("shell"), std::string("org/mine:1"), std::string("docker.io/org/mine:1"),
                                  got->digest, got->digest.substr(7, 12)})
    EXPECT_EQ(templates.find(name)->digest, got->digest) << name;
  EXPECT_EQ(templates.find("other").error().code(), Code::kNotFound);
  EXPECT_EQ(templates.get({"org/mine:1", Pull::kNever}, nullptr)->digest, got->digest);
}

TEST_F(TemplatesTest, GoWithTheirLastNameUnlessASandboxStandsOnThem) {
  std::string digest;
  std::vector<std::string> layers;
  {
    const auto got = templates.get({"shell"}, nullptr);
    ASSERT_TRUE(got);
    digest = got->digest;
    layers = got->layers;
    EXPECT_EQ(templates.remove("shell", nothing).error().code(), Code::kConflict);  // it is in use here
  }
  ASSERT_TRUE(templates.tag("shell", "mine"));
  const auto used = [&]() -> Result<InUse> {
    return InUse{{{digest, {"one", "two"}}}, {layers.begin(), layers.end()}};
  };
  EXPECT_EQ(templates.remove(digest, used).error().code(), Code::kConflict);
  EXPECT_EQ(templates.remove("mine", used)->names, std::vector<std::string>{"mine:latest"});
  EXPECT_EQ(templates.remove("shell", used).error().what(), "template shell is used by one, two");
  EXPECT_EQ(templates.prune(used, true)->bytes, 0);
  EXPECT_EQ(templates.list().size(), 1u);
  EXPECT_GT(templates.remove("shell", nothing)->bytes, 0);
  EXPECT_TRUE(templates.list().empty());
  EXPECT_TRUE(LayerStore(directory, kLayerProgram).list().empty());
}

TEST_F(TemplatesTest, ATagThatReadsLikeItsDigestIsATag) {
  ASSERT_TRUE(templates.get({"shell"}, nullptr));
  const std::string digits = hex_of(templates.list().front().digest).substr(0, 8);
  for (const std::string& tag : {"box:" + digits.substr(0, 1), "box:" + digits}) {
    ASSERT_TRUE(templates.tag("shell", tag));
    EXPECT_EQ(templates.remove(tag, nothing)->names, std::vector<std::string>{tag});
    EXPECT_EQ(templates.find(tag).error().code(), Code::kNotFound);
  }
  EXPECT_TRUE(templates.find("shell"));
  EXPECT_TRUE(templates.find(digits));
  EXPECT_TRUE(templates.find("sha256:" + digits));
  EXPECT_EQ(templates.remove(digits, nothing)->names, std::vector<std::string>{"shell"});
}

TEST_F(TemplatesTest, PruneTakesWhatHasNoNameAndWithAllWhatHasNoSandbox) {
  ASSERT_TRUE(templates.get({"shell"}, nullptr));
  ASSERT_TRUE(templates.get({"shell", Pull::kAlways}, nullptr));
  ASSERT_EQ(templates.list().size(), 2u);
  EXPECT_GT(templates.prune(nothing, false)->bytes, 0);
  EXPECT_EQ(templates.list().size(), 1u);
  const auto removed = templates.prune(nothing, true);
  EXPECT_EQ(removed->names, std::vector<std::string>{"shell"});
  EXPECT_EQ(removed->digests.size(), 1u);
  EXPECT_GT(removed->bytes, 0);
  EXPECT_TRUE(templates.list().empty());
}

TEST_F(TemplatesTest, ThoseOfTheOldLayoutAreWhereLayersAre) {
  const std::string hex(64, 'a');
  ASSERT_TRUE(make_directories(directory + "/" + hex + "/root/etc"));
  const Templates again(directory, kLayerProgram);
  EXPECT_TRUE(exists(Home(scratch.path()).layer("sha256:" + hex) + "/etc"));
  EXPECT_TRUE(LayerStore(directory, kLayerProgram).has("sha256:" + hex));
}

TEST_F(TemplatesTest, SeveralCallersOfOneDaemonSeeTheProgressOfOneBuild) {
  mmdebstrap(std::string("echo 'I: downloading packages...' >&2; while [ ! -e '") + (scratch / "seen") +
             "' ]; do sleep 0.01; done\n" + kGood);
  std::atomic<int> seen = 0;
  const auto note = [&](std::string_view step, std::int64_t, std::int64_t) {
    if (step != "downloading the base system" || ++seen != 2) return;
    EXPECT_TRUE(write_file_atomically(scratch / "seen", ""));
  };
  const auto get = [&] {
    bool mine = false;
    return templates.get({"shell", Pull::kMissing}, [&](std::string_view step, std::int64_t done, std::int64_t total) {
      if (!std::exchange(mine, mine || step == "downloading the base system")) note(step, done, total);
    });
  };
  std::thread other([&] { EXPECT_TRUE(get()); });
  EXPECT_TRUE(get());
  other.join();
  EXPECT_EQ(builds(), 1u);
}

}  // namespace
}  // namespace sbx::images
