// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "layers/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <functional>
#include <optional>

#include "base/child.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "base/value.h"
#include "digest/sha256.h"
#include "support/paths.h"
#include "support/temporary_directory.h"

// The real program, in its jail, on archives that libarchive writes.
namespace sbx::layers {
namespace {

class Tar {
 public:
  explicit Tar(int filter = ARCHIVE_FILTER_NONE) : archive_(::archive_write_new()) {
    ::archive_write_set_format_pax(archive_);
    ::archive_write_set_options(archive_, "hdrcharset=BINARY");
    ::archive_write_add_filter(archive_, filter);
    ::archive_write_set_bytes_per_block(archive_, 0);
    ::archive_write_open2(archive_, &bytes_, nullptr, append, nullptr, nullptr);
  }

  using Change = std::function<void(archive_entry*)>;
  Tar& add(const std::string& name, unsigned type, std::string_view content = "", const Change& change = {}) {
    archive_entry* entry = ::archive_entry_new();
    ::archive_entry_set_pathname(entry, name.c_str());
    ::archive_entry_set_filetype(entry, type);
    ::archive_entry_set_perm(entry, type == AE_IFDIR ? 0755 : 0644);
    ::archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
    ::archive_entry_set_mtime(entry, 1'000'000'000, 0);
    if (change) change(entry);
    EXPECT_EQ(::archive_write_header(archive_, entry), ARCHIVE_OK) << name << ::archive_error_string(archive_);
    if (!content.empty()) ::archive_write_data(archive_, content.data(), content.size());
    ::archive_entry_free(entry);
    return *this;
  }
  Tar& file(const std::string& name, std::string_view content = "x", const Change& change = {}) {
    return add(name, AE_IFREG, content, change);
  }
  Tar& directory(const std::string& name, const Change& change = {}) { return add(name, AE_IFDIR, "", change); }
  Tar& link(const std::string& name, const std::string& target) {
    return add(name, AE_IFLNK, "", [&](archive_entry* entry) { ::archive_entry_set_symlink(entry, target.c_str()); });
  }
  Tar& hard_link(const std::string& name, const std::string& target) {
    return add(name, AE_IFREG, "", [&](archive_entry* entry) { ::archive_entry_set_hardlink(entry, target.c_str()); });
  }

  std::string bytes() {
    if (archive_ != nullptr) ::archive_write_free(archive_);
    archive_ = nullptr;
    return bytes_;
  }
  ~Tar() { bytes(); }

 private:
  static la_ssize_t append(struct ::archive*, void* self, const void* bytes, std::size_t size) {
    static_cast<std::string*>(self)->append(static_cast<const char*>(bytes), size);
    return static_cast<la_ssize_t>(size);
  }
  struct ::archive* archive_;
  std::string bytes_;
};

class Unpack : public ::testing::Test {
 protected:
  Unpack() {
    if (::geteuid() != 0) skip_ = true;
    EXPECT_TRUE(make_directories(root(), 0755));
  }
  void SetUp() override {
    if (skip_) GTEST_SKIP() << "files of other owners can only be made by root";
  }

  std::string root() const { return scratch_.path() + "/layer"; }
  std::string at(const std::string& name) const { return root() + "/" + name; }
  struct stat info(const std::string& name) const {
    struct stat found {};
    EXPECT_EQ(::lstat(at(name).c_str(), &found), 0) << name;
    return found;
  }
  std::string attribute(const std::string& name, const char* key) const {
    std::string value(64, '\0');
    const ssize_t n = ::lgetxattr(at(name).c_str(), key, value.data(), value.size());
    return n < 0 ? "none" : value.substr(0, static_cast<std::size_t>(n));
  }
  bool is_whiteout(const std::string& name) const {
    const auto found = info(name);
    return S_ISCHR(found.st_mode) && found.st_rdev == makedev(0, 0);
  }

  Result<Unpacked> unpack(const std::string& blob, std::int64_t limit = 1 << 30, const char* opaque = "trusted") {
    EXPECT_TRUE(write_file(scratch_.path() + "/blob", blob));
    auto input = open_path(scratch_.path() + "/blob", O_RDONLY);
    Command command;
    command.argv = {sbx::testing::built_program("sandbox-layer"), "unpack", root(), opaque, std::to_string(limit)};
    command.stdin_fd = input->get();
    auto output = run(command);
    if (!output) return fail(std::move(output).error());
    const auto lines = split(trimmed(output->out), '\n');
    const auto last = parse_json(lines.back());
    if (!last) return fail(Code::kInternal, "it said: " + output->out + output->err);
    if (last->contains("layer")) return value_of<Unpacked>(last->at("layer"), "layer");
    return fail(Code::kInvalid, last->at("error").at("message").get<std::string>());
  }
  std::string refusal(const std::string& blob, std::int64_t limit = 1 << 30) {
    const auto unpacked = unpack(blob, limit);
    return unpacked ? "unpacked" : unpacked.error().what();
  }

  sbx::testing::TemporaryDirectory scratch_;
  bool skip_ = false;
};

TEST_F(Unpack, KeepsWhatAFileIs) {
  Tar tar;
  tar.directory("usr", [](auto* entry) { ::archive_entry_set_perm(entry, 01777); });
  tar.file("usr/tool", "#!/bin/sh", [](auto* entry) {
    ::archive_entry_set_perm(entry, 04755);
    ::archive_entry_set_uid(entry, 1000);
    ::archive_entry_set_gid(entry, 1001);
    ::archive_entry_xattr_add_entry(entry, "user.kind", "tool", 4);
  });
  tar.hard_link("usr/same", "./usr/tool").link("usr/away", "/etc/passwd").add("usr/pipe", AE_IFIFO);
  const std::string blob = tar.bytes();
  const auto unpacked = unpack(blob);
  ASSERT_TRUE(unpacked) << unpacked.error().what();
  EXPECT_EQ(unpacked->diff_id, "sha256:" + digest::sha256_of(blob));
  EXPECT_EQ(unpacked->entries, 5);
  EXPECT_EQ(info("usr").st_mode & 07777, 01777u);
  const auto tool = info("usr/tool");
  EXPECT_EQ(tool.st_mode & 07777, 04755u);
  EXPECT_EQ(tool.st_uid, 1000u);
  EXPECT_EQ(tool.st_gid, 1001u);
  EXPECT_EQ(tool.st_mtime, 1'000'000'000);
  EXPECT_EQ(info("usr").st_mtime, 1'000'000'000);
  EXPECT_EQ(info("usr/same").st_ino, tool.st_ino);
  EXPECT_TRUE(S_ISLNK(info("usr/away").st_mode));
  EXPECT_TRUE(S_ISFIFO(info("usr/pipe").st_mode));
  EXPECT_EQ(attribute("usr/tool", "user.kind"), "tool");
}

TEST_F(Unpack, KeepsCapabilitiesAndNoOtherAttributeOfTheKernels) {
  // cap_net_raw=ep, version 2
  const unsigned char raw[20] = {1, 0, 0, 2, 0, 0x20, 0, 0};
  Tar tar;
  tar.file("ping", "x", [&](auto* entry) {
    ::archive_entry_xattr_add_entry(entry, "security.capability", raw, sizeof raw);
    ::archive_entry_xattr_add_entry(entry, "trusted.overlay.opaque", "y", 1);
    ::archive_entry_xattr_add_entry(entry, "user.overlay.redirect", "/etc", 4);
    ::archive_entry_xattr_add_entry(entry, "trusted.other", "y", 1);
  });
  ASSERT_EQ(refusal(tar.bytes()), "unpacked");
  EXPECT_EQ(attribute("ping", "security.capability"), std::string(reinterpret_cast<const char*>(raw), sizeof raw));
  EXPECT_EQ(attribute("ping", "trusted.overlay.opaque"), "none");
  EXPECT_EQ(attribute("ping", "user.overlay.redirect"), "none");
  EXPECT_EQ(attribute("ping", "trusted.other"), "none");
}

TEST_F(Unpack, ReadsEveryCompression) {
  std::string plain;
  for (const int filter :
       {ARCHIVE_FILTER_NONE, ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_ZSTD, ARCHIVE_FILTER_XZ, ARCHIVE_FILTER_BZIP2}) {
    Tar tar(filter);
    const auto unpacked = unpack(tar.file("f", std::string(100'000, 'a')).bytes());
    ASSERT_TRUE(unpacked) << filter << unpacked.error().what();
    if (plain.empty()) plain = unpacked->diff_id;
    EXPECT_EQ(unpacked->diff_id, plain) << filter;
    ASSERT_TRUE(remove_file(at("f")));
  }
}

TEST_F(Unpack, MakesWhiteoutsOfOverlayfs) {
  Tar tar;
  tar.file("usr/.wh.gone").directory("etc").file("etc/.wh..wh..opq", "").file(".wh..wh.plnk", "");
  ASSERT_EQ(refusal(tar.bytes()), "unpacked");
  EXPECT_TRUE(is_whiteout("usr/gone"));
  EXPECT_EQ(attribute("etc", kOpaqueOfRoot), "y");
  EXPECT_EQ(attribute("usr", kOpaqueOfRoot), "none");
  EXPECT_FALSE(exists(at(".wh..wh.plnk")));
  EXPECT_FALSE(exists(at("etc/.wh..wh..opq")));
}

TEST_F(Unpack, MarksOpaqueForAUsersMountWithTheUsersAttribute) {
  Tar tar;
  ASSERT_TRUE(unpack(tar.directory("etc").file("etc/.wh..wh..opq", "").bytes(), 1 << 20, "user"));
  EXPECT_EQ(attribute("etc", kOpaqueOfUser), "y");
}

TEST_F(Unpack, AppliesAWhiteoutToLowerLayersOnly) {
  Tar tar;
  tar.file(".wh.a", "").directory("a").file("a/new");  // gone below, then a directory here
  tar.directory("b").file("b/new").file(".wh.b", "");  // the other way round
  tar.file(".wh.c", "").file("c", "new");              // a file in its place
  tar.file("d", "new").file(".wh.d", "");
  tar.file(".wh.e", "").file("e/implied");  // by a directory that is only implied
  ASSERT_EQ(refusal(tar.bytes()), "unpacked");
  EXPECT_EQ(attribute("a", kOpaqueOfRoot), "y");
  EXPECT_EQ(attribute("b", kOpaqueOfRoot), "y");
  EXPECT_EQ(attribute("e", kOpaqueOfRoot), "y");
  EXPECT_EQ(read_file(at("c")).value_or("none"), "new");
  EXPECT_EQ(read_file(at("d")).value_or("none"), "new");
  EXPECT_EQ(read_file(at("e/implied")).value_or("none"), "x");
}

TEST_F(Unpack, KeepsHoles) {
  Tar tar;
  tar.file("sparse", std::string(1 << 20, '\0') + "end",
           [](auto* entry) { ::archive_entry_sparse_add_entry(entry, 1 << 20, 3); });
  ASSERT_EQ(refusal(tar.bytes()), "unpacked");
  EXPECT_EQ(info("sparse").st_size, (1 << 20) + 3);
  EXPECT_LT(info("sparse").st_blocks * 512, 256 << 10);
}

TEST_F(Unpack, TakesNamesThatAreNoUtf8) {
  Tar tar;
  ASSERT_EQ(refusal(tar.file("\xff\xfe").file("gr\xc3\xbc\xc3\x9f").bytes()), "unpacked");
  EXPECT_TRUE(exists(at("\xff\xfe")));
  EXPECT_TRUE(exists(at("gr\xc3\xbc\xc3\x9f")));
}

TEST_F(Unpack, LeavesDevicesOut) {
  Tar tar;
  const auto unpacked =
      unpack(tar.add("disk", AE_IFBLK, "", [](auto* entry) { ::archive_entry_set_rdev(entry, makedev(8, 0)); })
                 .add("null", AE_IFCHR, "", [](auto* entry) { ::archive_entry_set_rdev(entry, makedev(1, 3)); })
                 .add("zero", AE_IFCHR, "", [](auto* entry) { ::archive_entry_set_rdev(entry, makedev(0, 0)); })
                 .bytes());
  ASSERT_TRUE(unpacked);
  EXPECT_EQ(unpacked->left_out, 3);
  EXPECT_FALSE(exists(at("disk")) || exists(at("null")) || exists(at("zero")));
}

TEST_F(Unpack, RefusesWhatLeadsOut) {
  for (const char* name : {"../out", "a/../../out", "/out"})
    EXPECT_NE(refusal(Tar().file(name).bytes()), "unpacked") << name;
  EXPECT_FALSE(exists(scratch_.path() + "/out"));
}

TEST_F(Unpack, GoesThroughNoLink) {
  ASSERT_TRUE(make_directories(scratch_.path() + "/victim"));
  const std::string victim = scratch_.path() + "/victim";
  for (const std::string& target : {victim, std::string(".."), std::string("/"), std::string("real")}) {
    Tar tar;
    tar.directory("real").link("link", target).file("link/planted");
    EXPECT_NE(refusal(tar.bytes()).find("no directory"), std::string::npos) << target;
    ASSERT_TRUE(remove_tree(root()));
    ASSERT_TRUE(make_directories(root(), 0755));
  }
  EXPECT_TRUE(names_in(victim).empty());
}

TEST_F(Unpack, MakesNoWhiteoutThroughALink) {
  EXPECT_NE(refusal(Tar().directory("real").link("link", "real").file("link/.wh.x", "").bytes()), "unpacked");
}

TEST_F(Unpack, LinksToFilesOfTheLayerOnly) {
  EXPECT_NE(refusal(Tar().hard_link("a", "/etc/passwd").bytes()), "unpacked");
  EXPECT_NE(refusal(Tar().hard_link("a", "../blob").bytes()), "unpacked");
  EXPECT_NE(refusal(Tar().hard_link("a", "missing").bytes()), "unpacked");
  EXPECT_NE(refusal(Tar().directory("real").file("real/f").link("link", "real").hard_link("a", "link/f").bytes()),
            "unpacked");
}

TEST_F(Unpack, RefusesAFileThatIsThereTwice) {
  EXPECT_NE(refusal(Tar().file("a", "1").file("./a", "2").bytes()).find("twice"), std::string::npos);
  ASSERT_TRUE(remove_tree(root()));
  ASSERT_TRUE(make_directories(root(), 0755));
  EXPECT_NE(refusal(Tar().link("a", "x").directory("a").bytes()).find("twice"), std::string::npos);
}

TEST_F(Unpack, TakesADirectoryTwice) {
  EXPECT_EQ(refusal(Tar().directory("a").file("a/f").directory("a/").bytes()), "unpacked");
}

TEST_F(Unpack, RefusesOwnersThatNoGuestHas) {
  Tar tar;
  tar.file("f", "x", [](auto* entry) { ::archive_entry_set_uid(entry, 70000); });
  EXPECT_NE(refusal(tar.bytes()).find("70000"), std::string::npos);
}

TEST_F(Unpack, RefusesABomb) {
  Tar tar(ARCHIVE_FILTER_GZIP);
  tar.file("bomb", std::string(32 << 20, '\0'));
  EXPECT_NE(refusal(tar.bytes(), 1 << 20).find("larger than"), std::string::npos);
  Tar hole;
  hole.add("hole", AE_IFREG, "", [](auto* entry) {
    ::archive_entry_set_size(entry, std::int64_t{1} << 50);
    ::archive_entry_sparse_add_entry(entry, 0, 0);
  });
  EXPECT_NE(refusal(hole.bytes()), "unpacked");
}

TEST_F(Unpack, RefusesWhatIsBrokenOff) {
  Tar tar(ARCHIVE_FILTER_GZIP);
  std::string noise;
  for (int i = 0; i < 200'000; ++i) noise += static_cast<char>(i * 2654435761u >> 24);
  const std::string blob = tar.file("f", noise).bytes();
  EXPECT_NE(refusal(blob.substr(0, blob.size() / 2)), "unpacked");
  Tar plain;
  const std::string whole = plain.file("g", noise).bytes();
  EXPECT_NE(refusal(whole.substr(0, whole.size() / 2)), "unpacked");
  EXPECT_NE(refusal("this is no archive at all, and long enough to be read as one"), "unpacked");
}

TEST_F(Unpack, TakesAnEmptyLayer) { EXPECT_EQ(refusal(Tar().bytes()), "unpacked"); }

// Here without the jail: an archive that passes the limit before its end is none that anything is written from later.
TEST(UnpackLimits, HoldForWhatComesBehindTheLastFile) {
  const sbx::testing::TemporaryDirectory directory;
  const auto before = open_path(".", O_PATH | O_DIRECTORY);
  ASSERT_EQ(::chdir(directory.path().c_str()), 0);
  const auto file = open_path(sbx::testing::source_file("tests/fuzz/corpus/layer/tree.zst"), O_RDONLY);
  ASSERT_TRUE(file);
  const auto stream = TarStream::open(file->get());
  ASSERT_TRUE(stream);
  const auto unpacked = unpack(**stream, kOpaqueOfUser, {.archive = 9000}, {});  // it has 10240, padding included
  EXPECT_EQ(::fchdir(before->get()), 0);
  ASSERT_FALSE(unpacked);
  EXPECT_EQ(unpacked.error().what(), "the layer is larger than 9000 bytes, uncompressed");
}

}  // namespace
}  // namespace sbx::layers
