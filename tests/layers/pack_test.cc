// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <filesystem>

#include "base/child.h"
#include "base/file.h"
#include "base/format.h"
#include "base/text.h"
#include "base/value.h"
#include "layers/pack_job.h"
#include "layers/unpack.h"
#include "support/paths.h"
#include "support/temporary_directory.h"

// The real program, in its jail: what it packs, it unpacks to the same, and packs to the same bytes again.
namespace sbx::layers {
namespace {

const std::string kProgram = sbx::testing::built_program("sandbox-layer");

class Pack : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "files of other owners can only be made by root";
    for (const char* name : {"upper", "again"}) ASSERT_TRUE(make_directories(scratch_ / name, 0755));
  }

  std::string at(const std::string& name) const { return scratch_ / ("upper/" + name); }
  void put(const std::string& name, const std::string& content = "x") {
    ASSERT_TRUE(make_directories(at(name).substr(0, at(name).rfind('/')), 0755));
    ASSERT_TRUE(write_file(at(name), content, 0644));
  }

  Result<std::string> pack(const PackJob& job) const {
    Command command;
    command.argv = {kProgram, "pack", text_of(job)};
    auto output = run(command);
    if (!output) return fail(std::move(output).error());
    if (output->exit.code != 0) return fail(Code::kInvalid, output->err);
    return std::move(output->out);
  }
  Result<Unpacked> unpack(const std::string& blob, const std::string& directory) const {
    EXPECT_TRUE(write_file(scratch_ / "blob", blob));
    const auto input = open_path(scratch_ / "blob", O_RDONLY);
    Command command;
    command.argv = {kProgram, "unpack", directory, "trusted", std::to_string(1 << 30)};
    command.stdin_fd = input->get();
    TRY_ASSIGN(const auto output, run(command));
    const auto lines = split(trimmed(output.out), '\n');
    TRY_ASSIGN(const Json last, parse_json(lines.back()));
    if (!last.contains("layer")) return fail(Code::kInvalid, dump(last));
    return value_of<Unpacked>(last["layer"], "layer");
  }

  // Everything that a file is, but for its inode and where it is.
  static std::vector<std::string> listing(const std::string& root) {
    std::vector<std::string> lines;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      struct stat info {};
      EXPECT_EQ(::lstat(entry.path().c_str(), &info), 0);
      const bool is_whiteout = S_ISCHR(info.st_mode);
      const bool is_link = S_ISLNK(info.st_mode);
      char list[4096] = {};
      const ssize_t size = ::llistxattr(entry.path().c_str(), list, sizeof list);
      lines.push_back(sbx::format("{} mode {:o} owner {}:{} time {}.{} size {} links {} to {} attributes {}",
                                  entry.path().string().substr(root.size()), is_whiteout ? S_IFCHR : info.st_mode,
                                  info.st_uid, info.st_gid, is_whiteout ? 0 : info.st_mtim.tv_sec,
                                  is_whiteout ? 0 : info.st_mtim.tv_nsec, S_ISREG(info.st_mode) ? info.st_size : 0,
                                  S_ISREG(info.st_mode) ? info.st_nlink : 1,
                                  is_link ? std::filesystem::read_symlink(entry.path()).string() : "",
                                  printable(std::string_view(list, size > 0 ? static_cast<std::size_t>(size) : 0))));
    }
    std::ranges::sort(lines);
    return lines;
  }

  sbx::testing::TemporaryDirectory scratch_;
};

TEST_F(Pack, IsUndoneByUnpacking) {
  put("usr/bin/tool", std::string(300'000, 't'));
  put("usr/bin/\xff\xfe no text", "bytes");
  put("usr/" + std::string(150, 'l') + "/" + std::string(120, '\xfe'), "long");
  put("usr/empty", "");
  ASSERT_EQ(::link(at("usr/bin/tool").c_str(), at("usr/bin/same").c_str()), 0);
  ASSERT_EQ(::symlink("/etc/passwd", at("usr/away").c_str()), 0);
  ASSERT_EQ(::symlink(std::string(400, 's').c_str(), at("usr/far").c_str()), 0);
  ASSERT_EQ(::mkfifo(at("usr/pipe").c_str(), 0620), 0);
  ASSERT_EQ(::mknod(at("usr/gone").c_str(), S_IFCHR, makedev(0, 0)), 0);
  ASSERT_TRUE(make_directories(at("usr/hidden"), 0711));
  ASSERT_EQ(::setxattr(at("usr/hidden").c_str(), "trusted.overlay.opaque", "y", 1, 0), 0);
  ASSERT_EQ(::chown(at("usr/bin/tool").c_str(), 1000, 1001), 0);
  ASSERT_EQ(::chmod(at("usr/bin/tool").c_str(), 04751), 0);
  const std::string capability("\x01\0\0\x02\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20);
  ASSERT_EQ(::setxattr(at("usr/empty").c_str(), "security.capability", capability.data(), capability.size(), 0), 0);
  const timespec times[2] = {{1, 2}, {-5, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, at("usr/empty").c_str(), times, 0), 0);

  const auto blob = pack({.directory = scratch_ / "upper"});
  ASSERT_TRUE(blob) << blob.error().what();
  const auto layer = unpack(*blob, scratch_ / "again");
  ASSERT_TRUE(layer) << layer.error().what();
  EXPECT_EQ(layer->left_out, 0);
  EXPECT_EQ(listing(scratch_ / "again"), listing(scratch_ / "upper"));

  const auto again = pack({.directory = scratch_ / "again", .as_it_is = true});
  ASSERT_TRUE(again) << again.error().what();
  EXPECT_TRUE(*again == *blob);
  EXPECT_EQ(layer->bytes, static_cast<std::int64_t>(blob->size()));
}

TEST_F(Pack, OfADirectoryThatIsNotThereIsAnEmptyLayer) {
  const auto blob = pack({.directory = scratch_ / "none"});
  ASSERT_TRUE(blob) << blob.error().what();
  const auto layer = unpack(*blob, scratch_ / "again");
  ASSERT_TRUE(layer) << layer.error().what();
  EXPECT_EQ(layer->entries, 0);
}

TEST_F(Pack, TranslatesOwners) {
  put("a");
  ASSERT_EQ(::chown(at("a").c_str(), 700005, 1234), 0);
  const auto blob = pack({.directory = scratch_ / "upper",
                          .uids = {{0, 700000, 1000}, {1001, 701001, 100}},
                          .gids = {{0, 700000, 1000}, {1000, 1234, 1}}});
  ASSERT_TRUE(blob) << blob.error().what();
  ASSERT_TRUE(unpack(*blob, scratch_ / "again"));
  struct stat info {};
  ASSERT_EQ(::stat((scratch_ / "again/a").c_str(), &info), 0);
  EXPECT_EQ(info.st_uid, 5u);
  EXPECT_EQ(info.st_gid, 1000u);
  const auto strangers = pack({.directory = scratch_ / "upper", .uids = {{0, 800000, 10}}});
  ASSERT_FALSE(strangers);
  EXPECT_NE(strangers.error().what().find("belongs to no one"), std::string::npos);
}

TEST_F(Pack, RefusesAJobThatIsNone) {
  Command command;
  command.argv = {kProgram, "pack", "{}"};
  const auto output = run(command);
  ASSERT_TRUE(output);
  EXPECT_EQ(output->exit.code, 1);
  EXPECT_NE(output->err.find("directory"), std::string::npos);
}

}  // namespace
}  // namespace sbx::layers
