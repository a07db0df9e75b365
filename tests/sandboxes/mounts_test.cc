// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/mounts.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::sandboxes {
namespace {

class Mounts : public ::testing::Test {
 protected:
  Mounts() {
    EXPECT_TRUE(make_directories(home + "/vm"));
    EXPECT_TRUE(make_directories(project));
    EXPECT_TRUE(replace_file(directory / "file", ""));
  }
  Result<std::vector<wire::Mount>> workspace(const std::string& path) {
    return checked_workspaces({{path, path, false}}, rules);
  }
  Result<std::vector<wire::Mount>> mount(const std::string& target) {
    return checked_mounts({{project, target, false}}, rules);
  }
  sbx::testing::TemporaryDirectory directory;
  const std::string home = directory / "state/home";
  const HostPlaces places{home, {"/home/alice"}, ""};
  const std::string project = directory / "project";
  SharedDirectories shared;
  const MountRules rules{false, places, shared};
};

TEST_F(Mounts, AWorkspaceKeepsItsCanonicalPath) {
  ASSERT_EQ(::symlink("project", (directory / "link").c_str()), 0);
  const auto checked = workspace(directory / "link");
  ASSERT_TRUE(checked) << checked.error().what();
  EXPECT_EQ(checked->front().source, project);
  EXPECT_EQ(checked->front().target, project);
}

TEST_F(Mounts, RefusesWorkspacesThatCannotBe) {
  for (const auto& path : {std::string("/"), std::string("relative"), directory / "missing", directory / "file",
                           std::string("/proc/self"), std::string("/sys"), std::string("/dev"), std::string("")}) {
    const auto checked = workspace(path);
    ASSERT_FALSE(checked) << path;
    EXPECT_EQ(checked.error().code(), Code::kInvalid) << path;
  }
}

TEST_F(Mounts, ALinkThatAnotherSandboxMayHaveMadeIsNotFollowed) {
  shared.add(project, "other");
  ASSERT_TRUE(make_directories(directory / "secret"));
  ASSERT_TRUE(replace_file(directory / "secret/key", ""));
  ASSERT_EQ(::symlink("../secret", (project + "/link").c_str()), 0);
  const auto given = workspace(project + "/link");
  ASSERT_FALSE(given);
  EXPECT_EQ(given.error().code(), Code::kInvalid);
  EXPECT_NE(given.error().what().find("sandbox other"), std::string::npos) << given.error().what();
  EXPECT_FALSE(checked_mounts({{project + "/link/key", "/key", true}}, rules));
  EXPECT_TRUE(workspace(project)) << "to share it again is the user's choice";
}

TEST_F(Mounts, RefusesTheStateDirectoryFromBothSides) {
  EXPECT_FALSE(workspace(home));
  EXPECT_FALSE(workspace(home + "/vm"));
  EXPECT_FALSE(workspace(directory / "state"));
  ASSERT_EQ(::symlink(home.c_str(), (directory / "sly").c_str()), 0);
  EXPECT_FALSE(workspace(directory / "sly"));
  ASSERT_TRUE(make_directories(home + "-beside"));
  EXPECT_TRUE(workspace(home + "-beside"));
}

TEST_F(Mounts, RefusesTargetsThatAreTheGuestsOwn) {
  for (const char* target : {"/", "/proc", "/proc/x", "/sys", "/sys/fs", "/dev", "/dev/shm", "x", "", "/a/../proc",
                             "/a//b", "/a/./b", "/a/", "/.."})
    EXPECT_FALSE(mount(target)) << target;
  for (const char* target : {"/data", "/processes", "/a/b.c/..d"}) EXPECT_TRUE(mount(target)) << target;
}

TEST_F(Mounts, APlainFileMayBeMountedButNotASocket) {
  EXPECT_TRUE(checked_mounts({{directory / "file", "/etc/thing", true}}, rules));
  EXPECT_FALSE(checked_mounts({{"/dev/null", "/etc/thing", true}}, rules));
}

TEST_F(Mounts, TwoThingsInOnePlaceAreRefused) {
  EXPECT_FALSE(check_targets_differ({{project, project, false}}, {{"/x", project, false}}));
  EXPECT_TRUE(check_targets_differ({{project, project, false}}, {{"/x", project + "/sub", false}}));
}

TEST_F(Mounts, AMissingOneIsNamed) {
  EXPECT_TRUE(check_present({{project, project, false}}));
  const auto missing = check_present({{directory / "gone", "/x", false}});
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().what().find(directory / "gone"), std::string::npos);
  EXPECT_TRUE(any_missing({{directory / "gone", "/x", false}}));
}

}  // namespace
}  // namespace sbx::sandboxes
