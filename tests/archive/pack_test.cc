// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "archive/pack.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "archive/tape.h"
#include "archive/unpack.h"
#include "base/child.h"
#include "base/text.h"
#include "support/temporary_directory.h"

namespace sbx::archive {
namespace {

using sbx::testing::TemporaryDirectory;

Fd opened(const TemporaryDirectory& directory) {
  return std::move(*open_path(directory.path(), O_RDONLY | O_DIRECTORY));
}

Command command(std::vector<std::string> argv, std::string directory = {}) {
  Command command;
  command.argv = std::move(argv);
  command.directory = std::move(directory);
  return command;
}

// A tree with one of everything that an archive can hold.
class Tree {
 public:
  Tree() {
    const std::string deep = "tree/" + std::string(120, 'd') + "/" + std::string(200, 'e');
    EXPECT_TRUE(make_directories(world_ / deep, 0755));
    put("tree/empty", "");
    put("tree/block", std::string(512, 'b'));
    put("tree/large", std::string(700'001, 'l'));
    put(deep + "/deep", "deep");
    put("tree/\xc3\xa4 \n'", "odd name");
    ::chmod((world_ / "tree/block").c_str(), 0751);
    EXPECT_EQ(::symlink("../elsewhere", (world_ / "tree/symlink").c_str()), 0);
    EXPECT_EQ(::symlink(std::string(300, 's').c_str(), (world_ / "tree/long").c_str()), 0);
    EXPECT_EQ(::link((world_ / "tree/block").c_str(), (world_ / "tree/same").c_str()), 0);
  }

  std::string packed(const PackOptions& options = {}, const std::string& name = "tree") const {
    std::string bytes;
    const auto done = pack(opened(world_), name, test::sink_into(bytes), options);
    EXPECT_TRUE(done) << done.error().what();
    return bytes;
  }
  const TemporaryDirectory& world() const { return world_; }

 private:
  void put(const std::string& name, const std::string& content) {
    EXPECT_TRUE(write_file_atomically(world_ / name, content, 0644));
  }
  TemporaryDirectory world_;
};

void unpack_into(const TemporaryDirectory& to, const std::string& bytes) {
  const auto done = unpack(test::source_of(bytes), opened(to));
  ASSERT_TRUE(done) << done.error().what();
}

// Names, types, modes, sizes, times, link targets and contents, as find and a checksum see them.
std::string listing(const std::string& directory) {
  const auto found = run(command(
      {"find", ".", "-printf", "%P %y %m %l %Ts %n\n", "-type", "f", "-exec", "sha256sum", "{}", ";"}, directory));
  EXPECT_TRUE(found);
  auto lines = split(found->out, '\n');
  std::sort(lines.begin(), lines.end());
  return join(lines, "\n");
}

TEST(Pack, WhatIsPackedIsUnpackedTheSame) {
  const Tree tree;
  const TemporaryDirectory to;
  unpack_into(to, tree.packed());
  EXPECT_EQ(listing(to / "tree"), listing(tree.world() / "tree"));
}

TEST(Pack, TarUnpacksItTheSame) {
  const Tree tree;
  const TemporaryDirectory to;
  ASSERT_TRUE(write_file_atomically(to / "a.tar", tree.packed()));
  const auto tar = run(command({"tar", "-xpf", to / "a.tar", "-C", to.path()}));
  ASSERT_TRUE(tar);
  ASSERT_EQ(tar->exit.code, 0) << tar->err;
  EXPECT_EQ(listing(to / "tree"), listing(tree.world() / "tree"));
}

class PackedByTar : public ::testing::TestWithParam<const char*> {};

TEST_P(PackedByTar, IsUnpackedTheSame) {
  const Tree tree;
  const TemporaryDirectory to;
  const auto tar = run(command({"tar", "-c", "--format", GetParam(), "-C", tree.world().path(), "tree"}));
  ASSERT_TRUE(tar);
  ASSERT_EQ(tar->exit.code, 0) << tar->err;
  unpack_into(to, tar->out);
  EXPECT_EQ(listing(to / "tree"), listing(tree.world() / "tree"));
}
INSTANTIATE_TEST_SUITE_P(Formats, PackedByTar, ::testing::Values("gnu", "pax"));

TEST(Pack, TheTopCanHaveAnotherName) {
  const Tree tree;
  const TemporaryDirectory to;
  unpack_into(to, tree.packed({.as = "other"}));
  EXPECT_EQ(listing(to / "other"), listing(tree.world() / "tree"));
}

TEST(Pack, ALinkAtTheTopIsKeptUnlessItIsToBeFollowed) {
  const Tree tree;
  ASSERT_EQ(::symlink("tree/block", (tree.world() / "link").c_str()), 0);
  const TemporaryDirectory kept;
  unpack_into(kept, tree.packed({}, "link"));
  struct stat info {};
  ASSERT_EQ(::lstat((kept / "link").c_str(), &info), 0);
  EXPECT_TRUE(S_ISLNK(info.st_mode));
  const TemporaryDirectory followed;
  unpack_into(followed, tree.packed({.as = {}, .follow_link = true}, "link"));
  EXPECT_EQ(read_file(followed / "link").value(), std::string(512, 'b'));
}

TEST(Pack, PipesAreLeftOutWithAWarning) {
  const Tree tree;
  ASSERT_EQ(::mkfifo((tree.world() / "tree/pipe").c_str(), 0600), 0);
  std::string warning;
  const std::string bytes =
      tree.packed({.as = {}, .follow_link = false, .warn = [&](std::string_view line) { warning = line; }});
  EXPECT_NE(warning.find("tree/pipe"), std::string::npos);
  const TemporaryDirectory to;
  unpack_into(to, bytes);
  EXPECT_FALSE(exists(to / "tree/pipe"));
}

TEST(Pack, WhatIsNotThereIsAnError) {
  const TemporaryDirectory empty;
  std::string bytes;
  const auto done = pack(opened(empty), "nothing", test::sink_into(bytes));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code(), Code::kNotFound);
}

TEST(Pack, ASparseFileOver8GiBKeepsItsSize) {
  const TemporaryDirectory from;
  const Fd file = std::move(*open_path(from / "huge", O_WRONLY | O_CREAT));
  ASSERT_EQ(::ftruncate(file.get(), 9'000'000'000), 0);
  std::string head;
  const Sink sink = [&head](std::string_view bytes) -> Result<> {
    head += bytes.substr(0, 4096);
    return fail(Code::kTooLarge, "seen enough");
  };
  EXPECT_FALSE(pack(opened(from), "huge", sink));
  EXPECT_NE(head.find("size=9000000000\n"), std::string::npos);
}

}  // namespace
}  // namespace sbx::archive
