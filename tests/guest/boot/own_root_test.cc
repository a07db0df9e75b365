// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/own_root.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <filesystem>
#include <map>

#include "archive/left_out.h"
#include "base/file.h"
#include "guest/boot/mount_points.h"
#include "guest/init_world.h"
#include "support/temporary_directory.h"

namespace sbx::guest {
namespace {

namespace fs = std::filesystem;

class OwnRootTest : public ::testing::Test {
 protected:
  OwnRootTest() : root_(*OwnRoot::open(directory_.path())) { EXPECT_TRUE(make_directories(directory_ / "etc", 0755)); }
  std::string text(const std::string& path) { return read_file(directory_ / path).value_or("(none)"); }

  testing::TemporaryDirectory directory_;
  testing::TemporaryDirectory outside_;
  OwnRoot root_;
};

TEST_F(OwnRootTest, AFileKeepsItsModeAndANewOneGetsTheGivenOne) {
  ASSERT_TRUE(write_file_atomically(directory_ / "etc/old", "before", 0640));
  ASSERT_TRUE(root_.write("/etc/old", "after", 0644));
  ASSERT_TRUE(root_.write("/etc/new", "content", 0604));
  EXPECT_EQ(text("etc/old"), "after");
  EXPECT_EQ(fs::status(directory_ / "etc/old").permissions(), fs::perms(0640));
  EXPECT_EQ(fs::status(directory_ / "etc/new").permissions(), fs::perms(0604));
}

TEST_F(OwnRootTest, ALinkIsReplacedAndNotFollowed) {
  ASSERT_TRUE(write_file(outside_ / "victim", "whole"));
  ASSERT_EQ(::symlink((outside_ / "victim").c_str(), (directory_ / "etc/link").c_str()), 0);
  ASSERT_TRUE(root_.write("/etc/link", "ours", 0644));
  EXPECT_EQ(text("etc/link"), "ours");
  EXPECT_EQ(read_file(outside_ / "victim").value(), "whole");
}

TEST_F(OwnRootTest, LinksOnTheWayAreFollowedInTheRootOnly) {
  ASSERT_EQ(::symlink(outside_.path().c_str(), (directory_ / "etc/out").c_str()), 0);
  ASSERT_EQ(::symlink("/etc", (directory_ / "etc/here").c_str()), 0);
  ASSERT_EQ(::symlink("../../../../../../etc", (directory_ / "etc/dots").c_str()), 0);
  EXPECT_FALSE(root_.write("/etc/out/file", "x", 0644));
  EXPECT_TRUE(fs::is_empty(outside_.path()));
  ASSERT_TRUE(root_.write("/etc/here/a", "x", 0644));
  ASSERT_TRUE(root_.write("/etc/dots/b", "x", 0644));
  EXPECT_EQ(text("etc/a") + text("etc/b"), "xx");
  EXPECT_EQ(root_.resolved("/etc/dots/a").value(), "/etc/a");
}

TEST_F(OwnRootTest, DirectoriesAreMadeAsFarAsTheyAreMissing) {
  ASSERT_TRUE(root_.make_directories("/etc/a/b/c", 0755));
  ASSERT_TRUE(root_.make_directories("/etc/a/b/c", 0755));
  EXPECT_TRUE(root_.holds("/etc/a/b/c"));
  EXPECT_FALSE(root_.exists("/etc/a/b/d"));
}

TEST_F(OwnRootTest, WhatIsNoFileIsNotRead) {
  ASSERT_EQ(::mkfifo((directory_ / "etc/pipe").c_str(), 0644), 0);
  EXPECT_FALSE(root_.read("/etc/pipe"));
  EXPECT_FALSE(root_.read("/etc"));
}

TEST_F(OwnRootTest, OnlyAFileThatIsNotThereIsEmptyToThoseWhoChangeIt) {
  EXPECT_EQ(root_.read_to_change("/etc/none").value(), "");
  EXPECT_EQ(root_.read_to_change("/none/either").value(), "");
  ASSERT_TRUE(write_file(directory_ / "etc/large", std::string((1u << 20) + 1, 'x')));
  EXPECT_EQ(root_.read_to_change("/etc/large").error().code(), Code::kTooLarge);
  EXPECT_FALSE(root_.read_to_change("/etc"));
}

TEST_F(OwnRootTest, WhatIsInitsAloneIsMarkedAndTheUsersIsNot) {
  const auto mark = [this](const std::string& path) {
    char value[512] = {};
    return std::string(value,
                       static_cast<std::size_t>(std::max<ssize_t>(
                           0, ::getxattr((directory_ / path).c_str(), archive::kInitMark, value, sizeof value))));
  };
  if (::setxattr((directory_ / "etc").c_str(), "user.probe", "x", 1, 0) != 0) GTEST_SKIP() << "no attributes in /tmp";
  ASSERT_TRUE(write_file(directory_ / "etc/templates", "of the template"));
  ASSERT_TRUE(root_.write("/etc/templates", "and of init", 0644));
  EXPECT_NE(mark("etc/templates"), "");  // the first start: nothing is the user's yet
  root_.end_first_start();
  ASSERT_TRUE(root_.write("/etc/templates", "and of init again", 0644));
  EXPECT_TRUE(mark("etc/templates").starts_with("17 ")) << mark("etc/templates");
  ASSERT_TRUE(write_file_atomically(directory_ / "etc/users", "of the user", 0644));
  ASSERT_TRUE(root_.write("/etc/users", "and of init", 0644));
  EXPECT_EQ(mark("etc/users"), "");
  ASSERT_TRUE(write_file(directory_ / "etc/templates", "edited in place"));
  ASSERT_TRUE(root_.write("/etc/templates", "and of init a third time", 0644));
  EXPECT_EQ(mark("etc/templates"), "");
}

TEST(MountPoints, AreReadWithTheirEscapes) {
  const std::string info =
      "22 1 0:21 / / rw - overlay o rw\n30 22 8:1 /x /home/agent/a\\040b/c rw - ext4 d rw\n"
      "31 22 8:1 /y /home/agent/top rw - ext4 d rw\n32 22 8:1 /z /home/agents/x/y rw - ext4 d rw\n";
  EXPECT_EQ(mount_points(info),
            (std::vector<std::string>{"/", "/home/agent/a b/c", "/home/agent/top", "/home/agents/x/y"}));
  EXPECT_EQ(directories_above_mounts("/home/agent", info), (std::vector<std::string>{"/home/agent/a b"}));
}

// Every file that init writes, when it lies on a mount of the user's: by itself, by its directory, or behind a link.
class InitOverMounts : public testing::Init {
 protected:
  using State = std::map<std::string, std::string>;

  void SetUp() override {
    put("certs/ca-certificates.crt", "theirs\n");
    put("certs/java/cacerts", "no store");
    put("resolv.conf", "nameserver 192.0.2.1\n");
    put("hosts", "192.0.2.2 theirs\n");
    put("hostname", "theirs\n");
    put("group", "root:x:0:\n");
    put("shadow", "root:*:1::::::\n");
    put("linked/bundle.crt", "linked\n");
    put("config/file", "mine");
    ASSERT_TRUE(make_directories(user_ / "sudoers.d"));
    ASSERT_TRUE(make_directories(user_ / "authorities"));
    skeleton("etc/skel/.config/from-skeleton");
    skeleton("etc/skel/.profile");
    // As an earlier run of the guest may have left it.
    ASSERT_TRUE(make_directories(root_ / "etc/pki/tls/certs", 0755));
    ASSERT_EQ(::symlink("/linked/bundle.crt", (root_ / "etc/pki/tls/certs/ca-bundle.crt").c_str()), 0);
    ASSERT_EQ(::symlink("/linked/gshadow", (root_ / "etc/gshadow").c_str()), 0);
    // As a runtime makes what mounts need.
    for (const char* directory : {"etc/ssl/certs", "home/agent/.config", "home/agent/deep/er/config", "linked"})
      ASSERT_TRUE(make_directories(root_ / directory, 0755));
    before_ = state();
    Init::SetUp();
  }

  std::vector<std::string> more_mounts() const override {
    std::vector<std::string> words;
    for (const auto& [source, target] : {std::pair{"certs", "/etc/ssl/certs"},
                                         {"resolv.conf", "/etc/resolv.conf"},
                                         {"hosts", "/etc/hosts"},
                                         {"hostname", "/etc/hostname"},
                                         {"group", "/etc/group"},
                                         {"shadow", "/etc/shadow"},
                                         {"sudoers.d", "/etc/sudoers.d"},
                                         {"linked", "/linked"},
                                         {"config", "/home/agent/.config"},
                                         {"config", "/home/agent/deep/er/config"}})
      words.insert(words.end(), {"--bind", user_ / source, target});
    return words;
  }

  static wire::GuestConfig with_authority() {
    wire::GuestConfig config = Init::config();
    config.network = wire::GuestNetwork{kOurs, "0a1b2c3d"};
    return config;
  }

  // Names, owners, modes and contents.
  State state() const {
    State state;
    for (const auto& entry : fs::recursive_directory_iterator(user_.path())) {
      struct stat info {};
      EXPECT_EQ(::lstat(entry.path().c_str(), &info), 0);
      state[entry.path()] = std::to_string(info.st_uid) + " " + std::to_string(info.st_mode) + " " +
                            (entry.is_regular_file() ? read_file(entry.path()).value_or("?") : "");
    }
    return state;
  }

  void put(const std::string& path, const std::string& content) {
    ASSERT_TRUE(make_directories((user_ / path).substr(0, (user_ / path).rfind('/')), 0755));
    ASSERT_TRUE(write_file(user_ / path, content, 0644));
  }
  void skeleton(const std::string& path) {
    ASSERT_TRUE(make_directories((root_ / path).substr(0, (root_ / path).rfind('/')), 0755));
    ASSERT_TRUE(write_file(root_ / path, "skeleton", 0644));
  }

  static constexpr const char* kOurs = "-----BEGIN CERTIFICATE-----\nb3Vycw==\n-----END CERTIFICATE-----\n";
  testing::TemporaryDirectory user_;
  State before_;
};

TEST_F(InitOverMounts, NothingOfTheUsersIsWritten) {
  configure(with_authority());
  EXPECT_EQ(state(), before_);
}

TEST_F(InitOverMounts, WhatAGuestNeedsIsMountedOverTheUsers) {
  configure(with_authority());
  EXPECT_EQ(output_of("cat /etc/resolv.conf"), "nameserver 198.18.0.1\n");
  EXPECT_EQ(output_of("cat /etc/hostname"), "box-7\n");
  EXPECT_EQ(output_of("head -n 1 /etc/hosts; grep -c box-7 /etc/hosts; grep -c 198.18.0.1 /etc/hosts"),
            "192.0.2.2 theirs\n1\n1\n");
  EXPECT_EQ(output_of("cat /etc/ssl/certs/ca-certificates.crt"), std::string("theirs\n\n") + kOurs);
  EXPECT_EQ(output_of("cat /etc/pki/tls/certs/ca-bundle.crt"), std::string("linked\n\n") + kOurs);
  EXPECT_EQ(output_of("id -Gn"), "agent sudo docker\n");
  EXPECT_EQ(output_of("ls -A / | grep cover"), "") << "the names of the covers are gone";
  EXPECT_EQ(state(), before_);
}

TEST_F(InitOverMounts, WhatCannotBeCoveredIsLeftAndSaid) {
  configure(with_authority());
  std::string logs;
  for (const auto& line : host_->logs) logs += line + "\n";
  EXPECT_NE(logs.find("/etc/sudoers.d is on a mount of the host's and is left as it is"), std::string::npos) << logs;
}

TEST_F(InitOverMounts, AHomeWithAMountInItIsTheAgentsAndHasItsSkeleton) {
  configure(with_authority());
  EXPECT_EQ(output_of("cd; stat -c %U . deep deep/er; cat .profile; echo; touch deep/er/x; ls -A .config"),
            "agent\nagent\nagent\nskeleton\nfile\n");
  EXPECT_EQ(state(), before_);
}

}  // namespace
}  // namespace sbx::guest
