// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "archive/unpack.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/tape.h"
#include "support/temporary_directory.h"

namespace sbx::archive {
namespace {

using sbx::testing::TemporaryDirectory;
using test::Tape;

// A destination with a neighbour that no archive may touch.
class Destination {
 public:
  Destination() {
    ::mkdir((world_ / "in").c_str(), 0755);
    ::mkdir((world_ / "out").c_str(), 0755);
    EXPECT_TRUE(write_file_atomically(world_ / "out/secret", "untouched"));
  }

  Result<> unpack(const Tape& tape, const UnpackOptions& options = {}) const {
    const Fd directory = std::move(*open_path(world_ / "in", O_PATH | O_DIRECTORY));
    return archive::unpack(test::source_of(tape.bytes), directory, options);
  }

  std::string path(const std::string& name) const { return world_ / ("in/" + name); }
  std::string text(const std::string& name) const { return read_file(path(name)).value_or("(none)"); }
  bool untouched() const {
    struct stat info {};
    return read_file(world_ / "out/secret").value_or("") == "untouched" &&
           ::stat((world_ / "out/secret").c_str(), &info) == 0 && info.st_nlink == 1 && !exists(world_ / "out/evil") &&
           !exists(world_ / "evil");
  }

 private:
  TemporaryDirectory world_;
};

TEST(Unpack, MakesFilesDirectoriesAndLinks) {
  Destination to;
  ASSERT_TRUE(to.unpack(
      Tape().add('5', "d/").add('0', "d/f", "hello").add('2', "d/s", "", "f").add('1', "d/h", "", "d/f").end()));
  EXPECT_EQ(to.text("d/f"), "hello");
  EXPECT_EQ(to.text("d/s"), "hello");
  EXPECT_EQ(to.text("d/h"), "hello");
  struct stat info {};
  ASSERT_EQ(::stat(to.path("d/f").c_str(), &info), 0);
  EXPECT_EQ(info.st_nlink, 2u);
  EXPECT_EQ(info.st_mtime, 1'600'000'000);
}

TEST(Unpack, MakesParentsThatTheArchiveLeavesOut) {
  Destination to;
  ASSERT_TRUE(to.unpack(Tape().add('0', "a/b/c", "x").end()));
  EXPECT_EQ(to.text("a/b/c"), "x");
}

TEST(Unpack, DropsSetUserIdBits) {
  Destination to;
  ASSERT_TRUE(to.unpack(Tape().header({"f", "", '0', 06755, 0, 0}).header({"d/", "", '5', 02755, 0, 0}).end()));
  struct stat info {};
  ASSERT_EQ(::stat(to.path("f").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0755u);
  ASSERT_EQ(::stat(to.path("d").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0755u);
}

TEST(Unpack, FillsADirectoryThatIsReadOnlyInTheArchive) {
  Destination to;
  ASSERT_TRUE(to.unpack(Tape().header({"d/", "", '5', 0555, 0, 1000}).add('0', "d/f", "x").end()));
  struct stat info {};
  ASSERT_EQ(::stat(to.path("d").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0555u);
  EXPECT_EQ(info.st_mtime, 1000);
  EXPECT_EQ(to.text("d/f"), "x");
}

TEST(Unpack, ReplacesAFileInsteadOfWritingIntoIt) {
  Destination to;
  ASSERT_EQ(::symlink("../out/secret", to.path("f").c_str()), 0);
  ASSERT_TRUE(to.unpack(Tape().add('0', "f", "new").end()));
  EXPECT_EQ(to.text("f"), "new");
  EXPECT_TRUE(to.untouched());
}

TEST(Unpack, KeepsADirectoryThatIsThere) {
  Destination to;
  ASSERT_EQ(::mkdir(to.path("d").c_str(), 0700), 0);
  ASSERT_TRUE(write_file_atomically(to.path("d/old"), "old"));
  ASSERT_TRUE(to.unpack(Tape().add('5', "d/").add('0', "d/new", "new").end()));
  EXPECT_EQ(to.text("d/old"), "old");
  EXPECT_EQ(to.text("d/new"), "new");
}

TEST(Unpack, AFileDoesNotReplaceADirectory) {
  Destination to;
  ASSERT_EQ(::mkdir(to.path("d").c_str(), 0700), 0);
  EXPECT_FALSE(to.unpack(Tape().add('0', "d", "x").end()));
}

TEST(Unpack, AHardLinkToItselfKeepsTheFile) {
  Destination to;
  ASSERT_TRUE(to.unpack(Tape().add('0', "f", "x").add('1', "f", "", "./f").end()));
  EXPECT_EQ(to.text("f"), "x");
}

TEST(Unpack, RenamesTheTop) {
  Destination to;
  const Tape tape = Tape().add('5', "a/").add('0', "a/f", "x").add('1', "a/g", "", "a/f").end();
  ASSERT_TRUE(to.unpack(tape, {.rename = "b"}));
  EXPECT_EQ(to.text("b/g"), "x");
  EXPECT_FALSE(exists(to.path("a")));
}

TEST(Unpack, LeavesDevicesAndPipesOutWithAWarning) {
  Destination to;
  int warnings = 0;
  const Tape tape = Tape().add('3', "null").add('4', "sda").add('6', "pipe").add('0', "f", "x").end();
  ASSERT_TRUE(to.unpack(tape, {.rename = {}, .warn = [&](std::string_view) { ++warnings; }}));
  EXPECT_EQ(warnings, 3);
  EXPECT_FALSE(exists(to.path("null")));
  EXPECT_EQ(to.text("f"), "x");
}

struct Hostile {
  const char* what;
  Tape tape;
};

std::vector<Hostile> hostile_archives() {
  return {
      {"..", Tape().add('0', "../out/evil", "x").end()},
      {".. inside", Tape().add('0', "a/../../out/evil", "x").end()},
      {"absolute", Tape().add('0', "/tmp/../evil", "x").end()},
      {"pax path to ..", Tape().pax("path", "../out/evil").add('0', "a", "x").end()},
      {"pax absolute path", Tape().pax("path", "/evil").add('0', "a", "x").end()},
      {"GNU long name to ..", Tape().add('L', "L", std::string("../out/evil\0", 12)).add('0', "a", "x").end()},
      {"a directory named ..", Tape().add('5', "..").end()},
      {"through a symlink", Tape().add('2', "l", "", "../out").add('0', "l/evil", "x").end()},
      {"through an absolute symlink", Tape().add('2', "l", "", "/tmp").add('0', "l/evil", "x").end()},
      {"deep through a symlink",
       Tape().add('5', "d/").add('2', "d/l", "", "../../out").add('0', "d/l/a/evil", "x").end()},
      {"a directory through a symlink", Tape().add('2', "l", "", "../out").add('5', "l/evil/").end()},
      {"a symlink through a symlink", Tape().add('2', "l", "", "../out").add('2', "l/evil", "", "x").end()},
      {"a hard link to outside", Tape().add('1', "h", "", "../out/secret").end()},
      {"a hard link to an absolute path", Tape().add('1', "h", "", "/etc/passwd").end()},
      {"a hard link through a symlink", Tape().add('2', "l", "", "../out").add('1', "h", "", "l/secret").end()},
      {"a pax link path to outside", Tape().pax("linkpath", "../out/secret").add('1', "h", "", "a").end()},
      {"a file in place of the destination", Tape().add('0', ".", "x").end()},
      {"a component of 300 bytes", Tape().pax("path", std::string(300, 'n')).add('0', "a").end()},
      {"an empty name", Tape().add('0', "").end()},
      {"a huge size without the bytes", Tape().pax("size", "900000000000000").add('0', "a", "x").end()},
      {"a cut off file", Tape().header({"a", "", '0', 0644, 100'000, 0}).pad("x")},
  };
}

TEST(Unpack, HostileArchivesAreRefusedAndTouchNothingOutside) {
  for (const auto& hostile : hostile_archives()) {
    Destination to;
    EXPECT_FALSE(to.unpack(hostile.tape)) << hostile.what;
    EXPECT_TRUE(to.untouched()) << hostile.what;
  }
}

TEST(Unpack, ASymlinkIsReplacedByALaterFileOrDirectoryOfItsName) {
  Destination to;
  const Tape tape = Tape()
                        .add('2', "f", "", "../out/secret")
                        .add('0', "f", "mine")
                        .add('2', "d", "", "../out")
                        .add('5', "d/")
                        .add('0', "d/secret", "mine")
                        .end();
  ASSERT_TRUE(to.unpack(tape));
  EXPECT_EQ(to.text("f"), "mine");
  EXPECT_EQ(to.text("d/secret"), "mine");
  EXPECT_TRUE(to.untouched());
}

TEST(Unpack, WritingToAHardLinkOfASymlinkDoesNotFollowIt) {
  Destination to;
  const Tape tape = Tape().add('2', "l", "", "../out/secret").add('1', "h", "", "l").add('0', "h", "mine").end();
  ASSERT_TRUE(to.unpack(tape));
  EXPECT_EQ(to.text("h"), "mine");
  EXPECT_TRUE(to.untouched());
}

}  // namespace
}  // namespace sbx::archive
