// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "archive/changes.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "archive/reader.h"
#include "archive/tape.h"
#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::archive {
namespace {

// An upper directory of overlayfs, by hand. That it unpacks to the same is shown in tests/layers/pack_test.cc.
class Changes : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "whiteouts can only be made by root";
  }

  std::string at(const std::string& name) const { return upper_ / name; }
  void put(const std::string& name, const std::string& content = "x") {
    ASSERT_TRUE(make_directories(at(name).substr(0, at(name).rfind('/')), 0755));
    ASSERT_TRUE(write_file(at(name), content, 0644));
  }
  void directory(const std::string& name) { ASSERT_TRUE(make_directories(at(name), 0755)); }
  void whiteout(const std::string& name) { ASSERT_EQ(::mknod(at(name).c_str(), S_IFCHR, makedev(0, 0)), 0); }

  Result<std::string> packed(const ChangesOptions& options = {}) const {
    std::string bytes;
    const auto root = open_path(upper_.path(), O_RDONLY | O_DIRECTORY);
    const auto entries = pack_changes(*root, test::sink_into(bytes), options);
    if (!entries) return fail(entries.error());
    return bytes;
  }
  std::string refusal(const ChangesOptions& options = {}) const {
    const auto bytes = packed(options);
    return bytes ? "packed" : bytes.error().what();
  }

  std::vector<std::string> names(const ChangesOptions& options = {}) const {
    const auto bytes = packed(options);
    EXPECT_TRUE(bytes) << bytes.error().what();
    std::vector<std::string> found;
    if (!bytes) return found;
    ArchiveReader reader(test::source_of(*bytes));
    for (;;) {
      const auto member = reader.next();
      EXPECT_TRUE(member) << member.error().what();
      if (!member || !*member) return found;
      found.push_back((*member)->name);
    }
  }
  using Names = std::vector<std::string>;

  static ChangesOptions of_sandbox(const std::vector<std::string>& mount_points = {}) {
    return {.left_out = LeftOut::of_sandbox(mount_points)};
  }

  sbx::testing::TemporaryDirectory upper_;
};

TEST_F(Changes, AreSortedAndDirectoriesComeFirst) {
  put("b/z");
  put("b/a");
  put("a");
  EXPECT_EQ(names(), (Names{"a", "b/", "b/a", "b/z"}));
}

TEST_F(Changes, SayWhatIsGoneAndWhatIsHidden) {
  put("usr/bin/new");
  whiteout("usr/bin/less");
  directory("opaque");
  ASSERT_EQ(::setxattr(at("opaque").c_str(), "trusted.overlay.opaque", "y", 1, 0), 0);
  EXPECT_EQ(names(), (Names{"opaque/", "opaque/.wh..wh..opq", "usr/", "usr/bin/", "usr/bin/.wh.less", "usr/bin/new"}));
}

TEST_F(Changes, OfAFreshSandboxAreNone) {
  put("etc/hosts");
  put("etc/ssl/certs/ca-certificates.crt", "-----OWN-----\n");
  put("usr/local/share/ca-certificates/proxy-ca.crt", "-----OWN-----\n");
  ASSERT_EQ(::symlink("proxy-ca.pem", at("etc/ssl/certs/0a.0").c_str()), 0);
  directory("home/me/work");
  directory("proc");
  EXPECT_EQ(names(of_sandbox({"/home/me/work"})), Names());
  EXPECT_EQ(packed(of_sandbox({"/home/me/work"}))->size(), 1024);  // the end of an archive
}

TEST_F(Changes, LeaveOutADirectoryOnlyIfNothingElseIsInIt) {
  directory("home/me/work");
  directory("home/me/empty");
  put("var/x");
  put("tmp/x");
  EXPECT_EQ(names(of_sandbox({"/home/me/work"})), (Names{"home/", "home/me/", "home/me/empty/", "var/", "var/x"}));
}

TEST_F(Changes, HaveABundleWithoutTheAuthority) {
  put("etc/ssl/certs/ca-certificates.crt", "others\n\n-----OWN-----\n");
  put("usr/local/share/ca-certificates/proxy-ca.crt", "-----OWN-----\n");
  const auto bytes = packed(of_sandbox());
  EXPECT_EQ(bytes->find("OWN"), std::string::npos);
  EXPECT_NE(bytes->find("others\n"), std::string::npos);
  EXPECT_NE(packed()->find("OWN"), std::string::npos);  // a layer is packed as it is
}

TEST_F(Changes, LeaveOutWhatALayerCannotHold) {
  put("a");
  put(".wh.trap");
  put("d/.wh..wh..opq");
  ASSERT_EQ(::mknod(at("disk").c_str(), S_IFBLK | 0600, makedev(8, 0)), 0);
  const Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path, sizeof address.sun_path, "%s", at("socket").c_str());
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(names(), (Names{"a"}));
}

TEST_F(Changes, FollowNoLink) {
  ASSERT_EQ(::symlink("/etc", at("etc").c_str()), 0);
  ASSERT_EQ(::symlink("/etc/passwd", at("passwd").c_str()), 0);
  EXPECT_EQ(names(), (Names{"etc", "passwd"}));
  EXPECT_EQ(packed()->find("root:x:0:0"), std::string::npos);
}

TEST_F(Changes, BelongToTheGuestsIds) {
  put("mine");
  ASSERT_EQ(::chown(at("mine").c_str(), 501000, 501000), 0);
  const auto shift = [](std::uint32_t id) { return id >= 500000 ? std::optional(id - 500000) : std::nullopt; };
  const auto bytes = packed({.uid = shift, .gid = shift});
  ASSERT_TRUE(bytes) << bytes.error().what();
  // After the extended header, which has the time.
  EXPECT_EQ(bytes->substr(1024 + 108, 7), "0001750");
  ASSERT_EQ(::chown(at("mine").c_str(), 0, 501000), 0);
  EXPECT_NE(refusal({.uid = shift, .gid = shift}).find("belongs to no one"), std::string::npos);
}

TEST_F(Changes, KeepACapabilityOfTheGuestsRootAlone) {
  const std::string raw("\x01\0\0\x03\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20);
  const auto with_root = [&](std::uint32_t root) {
    std::string value = raw;
    for (int shift = 0; shift < 32; shift += 8) value += static_cast<char>(root >> shift & 0xff);
    return value;
  };
  const auto shift = [](std::uint32_t id) { return id >= 500000 ? std::optional(id - 500000) : std::optional(id + 1); };
  put("ping");
  const std::string guests = with_root(500000);
  ASSERT_EQ(::setxattr(at("ping").c_str(), "security.capability", guests.data(), guests.size(), 0), 0);
  const auto bytes = packed({.uid = shift, .gid = shift});
  std::string expected = raw;
  expected[3] = 2;
  EXPECT_NE(bytes->find("SCHILY.xattr.security.capability=" + expected + "\n"), std::string::npos);
  const std::string others = with_root(600000);
  ASSERT_EQ(::setxattr(at("ping").c_str(), "security.capability", others.data(), others.size(), 0), 0);
  EXPECT_EQ(packed({.uid = shift, .gid = shift})->find("SCHILY"), std::string::npos);
}

TEST_F(Changes, HaveNoAttributesOfTheHosts) {
  put("file");
  for (const char* name : {"trusted.secret", "trusted.overlay.origin", "security.other"})
    ASSERT_EQ(::setxattr(at("file").c_str(), name, "v", 1, 0), 0) << name;
  EXPECT_EQ(packed()->find("SCHILY"), std::string::npos);
}

TEST_F(Changes, ThatStandForFilesBelowAreRefused) {
  put("moved");
  ASSERT_EQ(::setxattr(at("moved").c_str(), "trusted.overlay.redirect", "/old", 4, 0), 0);
  EXPECT_NE(refusal().find("a layer below"), std::string::npos);
}

TEST_F(Changes, HaveAFileWithTwoNamesOnce) {
  put("a", std::string(5000, 'a'));
  ASSERT_EQ(::link(at("a").c_str(), at("b").c_str()), 0);
  const auto bytes = packed();
  EXPECT_LT(bytes->size(), 2 * 5000u);
  EXPECT_EQ(names(), (Names{"a", "b"}));
}

}  // namespace
}  // namespace sbx::archive
