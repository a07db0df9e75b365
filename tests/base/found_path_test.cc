// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/found_path.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx {
namespace {

// user/ is the user's, ws/ is shared with a sandbox, secret/ is what a guest is after.
class FoundPathTest : public ::testing::Test {
 protected:
  FoundPathTest() {
    for (const char* name : {"user", "ws/real/sub", "secret"}) EXPECT_TRUE(make_directories(directory / name));
    EXPECT_TRUE(write_file(directory / "secret/key", "KEY=1\n"));
    EXPECT_TRUE(write_file(directory / "ws/file", "ours"));
    link(directory / "secret", "ws/out");
    link(directory / "secret/key", "ws/key");
    link("../../secret", "ws/real/up");
    link("../ws", "user/ws");
    link(directory / "user/ws", "user/again");
    shared.add(directory / "ws", "box");
  }

  void link(const std::string& target, const std::string& at) {
    ASSERT_EQ(::symlink(target.c_str(), (directory / at).c_str()), 0);
  }
  Result<FoundPath> find(const std::string& path, LastLink last = LastLink::kFollowed) {
    return find_path(directory / path, last, shared);
  }
  std::string canonical(const std::string& path) {
    const auto found = find(path);
    if (!found) return found.error().what();
    return canonical_path(*found).value();
  }
  std::string refusal(const Result<FoundPath>& found) {
    if (found) return "found";
    EXPECT_EQ(found.error().code(), Code::kForbidden) << found.error().what();
    return found.error().what().substr(0, found.error().what().find(" is a symbolic link to "));
  }

  sbx::testing::TemporaryDirectory directory;
  SharedDirectories shared;
};

TEST_F(FoundPathTest, LinksOfTheUsersLeadToASharedDirectory) {
  EXPECT_EQ(canonical("user/ws"), directory / "ws");
  EXPECT_EQ(canonical("user/again/real/sub"), directory / "ws/real/sub");
  EXPECT_EQ(canonical("user/again/file"), directory / "ws/file");
}

TEST_F(FoundPathTest, InASharedDirectoryNoLinkIsFollowed) {
  for (const char* path :
       {"ws/out", "ws/out/", "ws/out/.", "ws/out/key", "ws/out/new", "ws/out/..", "ws/./real/../out"})
    EXPECT_TRUE(refusal(find(path)).ends_with("/out")) << path;
  EXPECT_EQ(refusal(find("ws/key")), directory / "ws/key");
  EXPECT_EQ(refusal(find("ws/real/up/key")), directory / "ws/real/up");
  EXPECT_TRUE(refusal(find("user/again/out/key")).ends_with("/ws/out"));
}

TEST_F(FoundPathTest, TheRefusalSaysWhereTheLinkLeadsAndWhoseItMayBe) {
  const auto found = find("ws/out/key");
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().what().find("to " + (directory / "secret")), std::string::npos) << found.error().what();
  EXPECT_NE(found.error().what().find("sandbox box"), std::string::npos) << found.error().what();
  EXPECT_FALSE(found.error().hint().empty());
}

TEST_F(FoundPathTest, ALinkOfTheUsersThatLeadsThroughAGuestsIsRefusedThere) {
  link(directory / "ws/out", "user/through");
  EXPECT_EQ(refusal(find("user/through/key")), directory / "ws/out");
}

TEST_F(FoundPathTest, ALastLinkThatIsKeptIsFoundItself) {
  const auto found = find("ws/out", LastLink::kKept);
  ASSERT_TRUE(found) << found.error().what();
  EXPECT_FALSE(found->is_directory);
  EXPECT_EQ(found->name, "out");
  struct stat info {};
  ASSERT_EQ(::fstat(found->itself().get(), &info), 0);
  EXPECT_TRUE(S_ISLNK(info.st_mode));
  EXPECT_FALSE(find("ws/out/key", LastLink::kKept));
  EXPECT_FALSE(find("ws/out/", LastLink::kKept)) << "a slash asks for what it leads to";
}

TEST_F(FoundPathTest, DotsLeadOutOfASharedDirectoryToTheUsersOwn) {
  link("secret", "aside");
  EXPECT_EQ(canonical("ws/real/../../aside/key"), directory / "secret/key");
  EXPECT_EQ(refusal(find("user/../ws/real/../out")), directory / "user/../ws/real/../out");
}

TEST_F(FoundPathTest, AStartWithinASharedDirectoryIsInIt) {
  const auto before = open_path(".", O_PATH | O_DIRECTORY);
  ASSERT_EQ(::chdir((directory / "ws/real").c_str()), 0);
  EXPECT_EQ(refusal(find_path("../out/key", LastLink::kFollowed, shared)), "../out");
  EXPECT_EQ(refusal(find_path("up", LastLink::kFollowed, shared)), "up");
  EXPECT_TRUE(find_path("sub", LastLink::kFollowed, shared)->is_directory);
  EXPECT_TRUE(find_path(".", LastLink::kKept, shared)->is_directory);
  EXPECT_TRUE(find_path("../../secret/key", LastLink::kFollowed, shared));
  ASSERT_EQ(::fchdir(before->get()), 0);
}

TEST_F(FoundPathTest, OnlyTheLastNameMayBeMissing) {
  const auto found = find("ws/real/new");
  ASSERT_TRUE(found) << found.error().what();
  EXPECT_FALSE(found->itself());
  EXPECT_EQ(found->name, "new");
  EXPECT_TRUE(find("ws/real/new/"));
  EXPECT_EQ(find("ws/none/new").error().code(), Code::kNotFound);
  EXPECT_EQ(find_path("", LastLink::kFollowed, shared).error().code(), Code::kNotFound);
}

TEST_F(FoundPathTest, AFileIsNoDirectory) {
  EXPECT_TRUE(find("ws/file"));
  for (const char* path : {"ws/file/", "ws/file/.", "ws/file/x", "ws/file/.."})
    EXPECT_NE(find(path).error().what().find("Not a directory"), std::string::npos) << path;
}

TEST_F(FoundPathTest, ACircleOfLinksEnds) {
  link("two", "user/one");
  link("one", "user/two");
  EXPECT_FALSE(find("user/one"));
}

TEST_F(FoundPathTest, ALinkToNowhereLeadsToTheNameThatIsMissing) {
  link("../secret/later", "user/dangling");
  const auto found = find("user/dangling");
  ASSERT_TRUE(found) << found.error().what();
  EXPECT_EQ(found->name, "later");
  EXPECT_FALSE(found->itself());
}

// What a process has open is not where its link says.
TEST_F(FoundPathTest, DescriptorsAreFollowedByTheKernel) {
  Pipe pipe = make_pipe().value();
  ASSERT_TRUE(write_all(pipe.write, "A=1"));
  pipe.write.reset();
  const auto file = open_to_read("/dev/fd/" + std::to_string(pipe.read.get()), shared);
  ASSERT_TRUE(file) << file.error().what();
  EXPECT_EQ(read_all(*file, 100).value(), "A=1");
  const auto inside = open_path(directory / "ws/real", O_PATH | O_DIRECTORY);
  const std::string by_descriptor = "/proc/self/fd/" + std::to_string(inside->get());
  EXPECT_EQ(refusal(find_path(by_descriptor + "/up/key", LastLink::kFollowed, shared)), by_descriptor + "/up");
}

TEST_F(FoundPathTest, AFileIsReadUnlessALinkInASharedDirectoryLeadsToIt) {
  EXPECT_EQ(read_all(*open_to_read(directory / "user/ws/file", shared), 100).value(), "ours");
  EXPECT_EQ(open_to_read(directory / "ws/key", shared).error().code(), Code::kForbidden);
  EXPECT_EQ(open_to_read(directory / "ws/none", shared).error().code(), Code::kNotFound);
}

TEST_F(FoundPathTest, ADirectoryThatWasSwappedForALinkIsNotTakenForShared) {
  SharedDirectories others;
  others.add(directory / "ws/out", "box");
  EXPECT_TRUE(find_path(directory / "secret/key", LastLink::kFollowed, others));
  link("key", "secret/alias");
  EXPECT_TRUE(find_path(directory / "secret/alias", LastLink::kFollowed, others));
}

}  // namespace
}  // namespace sbx
