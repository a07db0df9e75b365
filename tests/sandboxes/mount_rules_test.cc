// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/mount_rules.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::sandboxes {
namespace {

const HostPlaces kAlice{"/home/alice/.docker/sandboxes", {"/home/alice"}, "/run/user/1000"};
const HostPlaces kRoot{"/root/.docker/sandboxes", {"/root"}, ""};
// Homes need not be where they usually are, and a service's XDG_RUNTIME_DIR is not in /run.
const HostPlaces kOdd{"/data/users/bob/.docker/sandboxes", {"/data/users/bob"}, "/data/runtime-bob"};

enum Answer { kRefused, kReadOnly, kHome, kAllowed };  // kReadOnly: only so. kHome: with --allow-home.

Answer answer_for(const std::string& source, const HostPlaces& places) {
  const auto allowed = [&](bool readonly, bool allow_home) {
    return check_source({source, "/target", readonly}, allow_home, places).has_value();
  };
  if (allowed(false, false)) return kAllowed;
  if (allowed(true, false)) return kReadOnly;
  return allowed(false, true) ? kHome : kRefused;
}

struct Case {
  const char* source;
  Answer answer;
};

void expect(const std::vector<Case>& cases, const HostPlaces& places) {
  for (const auto& [source, answer] : cases) EXPECT_EQ(answer_for(source, places), answer) << source;
}

TEST(MountRules, SourcesThatAreTheSameForEveryUser) {
  const std::vector<Case> cases{
      {"/", kRefused},
      {"/bin", kReadOnly},
      {"/sbin", kReadOnly},
      {"/lib", kReadOnly},
      {"/lib64", kReadOnly},
      {"/usr", kReadOnly},
      {"/usr/local/bin", kReadOnly},
      {"/usr/share/doc", kReadOnly},
      {"/usr/src", kReadOnly},
      {"/usr/src/linux", kAllowed},
      {"/usr/local/src/project", kAllowed},
      {"/usrlocal", kAllowed},
      {"/boot", kReadOnly},
      {"/boot/efi", kReadOnly},
      {"/etc", kReadOnly},
      {"/etc/ssl/certs", kReadOnly},
      {"/etc-of-mine", kAllowed},
      {"/dev", kRefused},
      {"/dev/shm/work", kRefused},
      {"/proc", kRefused},
      {"/proc/1/root/etc", kRefused},
      {"/sys", kRefused},
      {"/sys/fs/cgroup", kRefused},
      {"/run", kRefused},
      {"/run/docker", kRefused},
      {"/run/user", kRefused},
      {"/run/user/1001", kRefused},
      {"/run/media", kRefused},
      {"/run/media/alice/disk", kAllowed},
      {"/tmp", kRefused},
      {"/tmp/project", kAllowed},
      {"/var", kReadOnly},
      {"/var/lib", kReadOnly},
      {"/var/lib/jenkins/workspace/x", kAllowed},
      {"/var/lib/dpkg/info", kReadOnly},
      {"/var/spool/cron", kReadOnly},
      {"/var/tmp/x", kAllowed},
      {"/var/www/site", kAllowed},
      {"/home", kRefused},
      {"/srv/project", kAllowed},
      {"/opt/project", kAllowed},
      {"/mnt/disk", kAllowed},
  };
  for (const auto& places : {kAlice, kRoot, kOdd}) expect(cases, places);
}

TEST(MountRules, HomesTakeAFlagAndWhatIsInThemDoesNot) {
  expect({{"/home/alice", kHome},
          {"/home/alice/project", kAllowed},
          {"/home/alice/.docker/sandboxes", kRefused},
          {"/home/alice/.docker/sandboxes/vm/box", kRefused},
          {"/home/alice/.docker", kRefused},
          {"/home/bob/shared", kAllowed},
          {"/root", kRefused},
          {"/run/user/1000", kRefused},
          {"/run/user/1000/gnupg", kRefused}},
         kAlice);
  expect({{"/root", kHome}, {"/root/project", kAllowed}, {"/root/.docker/sandboxes", kRefused}}, kRoot);
  expect({{"/data/users/bob", kHome},
          {"/data/users", kHome},
          {"/data/users/bob/project", kAllowed},
          {"/data/runtime-bob", kRefused},
          {"/data/runtime-bob/x", kRefused},
          {"/root", kRefused}},
         kOdd);
}

TEST(MountRules, TheErrorOfAHomeNamesTheReasonAndTheFlag) {
  const auto refused = check_source({"/home/alice", "/home/alice", false}, false, kAlice);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kInvalid);
  EXPECT_NE(refused.error().what().find("keys, logins"), std::string::npos);
  EXPECT_NE(refused.error().hint().find("--allow-home"), std::string::npos);
  EXPECT_FALSE(check_source({"/home/alice", "/x", true}, false, kAlice)) << "keys can be read";
}

TEST(MountRules, ABindMountOfASystemDirectoryIsOneUnderAnyName) {
  testing::TemporaryDirectory directory;
  ASSERT_EQ(::symlink("/etc", (directory / "link").c_str()), 0);
  EXPECT_EQ(answer_for(directory / "link", kAlice), kReadOnly) << "stat sees what a bind mount would show";
}

TEST(MountRules, Targets) {
  for (const char* target : {"/",
                             "/usr",
                             "/usr/bin",
                             "/usr/lib",
                             "/bin",
                             "/sbin",
                             "/lib",
                             "/lib64",
                             "/etc",
                             "/proc",
                             "/proc/sys",
                             "/sys",
                             "/dev",
                             "/dev/shm",
                             "/run",
                             "/var",
                             "/var/run",
                             "/run/sandbox",
                             "/run/sandbox/modules",
                             "/run/sandbox-shared",
                             "/.sandbox-init",
                             "/etc/passwd",
                             "/etc/group",
                             "/etc/shadow",
                             "/etc/hosts",
                             "/etc/hostname",
                             "/etc/resolv.conf",
                             "/etc/sudoers",
                             "/etc/sudoers.d",
                             "/etc/sudoers.d/mine",
                             "",
                             "x",
                             "/a/../etc",
                             "/a/",
                             "//etc"})
    EXPECT_FALSE(check_target(target)) << target;
  for (const char* target :
       {"/data", "/etc/ssl/certs", "/etc/ssl/certs/ca-certificates.crt", "/etc/myapp", "/usr/bin/tool",
        "/usr/local/share/ca-certificates/corp.crt", "/usr/src/linux", "/run/secrets/token", "/home/agent/.config",
        "/home/agent", "/tmp", "/tmp/x", "/var/lib/postgresql", "/root/.cache", "/opt", "/sandbox-init"})
    EXPECT_TRUE(check_target(target)) << target;
}

class NestedMounts : public ::testing::Test {
 protected:
  NestedMounts() {
    EXPECT_TRUE(make_directories(directory_ / "outer/there"));
    EXPECT_TRUE(make_directories(directory_ / "inner"));
    EXPECT_TRUE(write_file(directory_ / "file", ""));
    EXPECT_EQ(::symlink("there", (directory_ / "outer/link").c_str()), 0);
  }
  bool fits(const std::string& inner, const std::string& target) const {
    const std::vector<wire::Mount> mounts{{directory_ / "outer", "/outer", false}, {directory_ / inner, target, false}};
    return check_nested(mounts).has_value();
  }
  testing::TemporaryDirectory directory_;
};

TEST_F(NestedMounts, AreMadeOnWhatIsThere) {
  EXPECT_TRUE(fits("inner", "/outer/there"));
  EXPECT_TRUE(fits("inner", "/outerlike/x"));
  EXPECT_FALSE(fits("inner", "/outer/missing"));
  EXPECT_FALSE(fits("inner", "/outer/missing/deep"));
  EXPECT_FALSE(fits("inner", "/outer/link")) << "a guest may change where it leads to";
  EXPECT_FALSE(fits("file", "/outer/there")) << "a file on a directory";
}

TEST_F(NestedMounts, TheHintSaysWhatToMake) {
  const auto refused =
      check_nested({{directory_ / "outer", "/outer", false}, {directory_ / "inner", "/outer/x/y", false}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().hint(), "mkdir -p " + (directory_ / "outer/x/y"));
}

TEST(HostPlacesTest, HomesAreThoseOfTheEnvironmentAndOfTheAccounts) {
  testing::TemporaryDirectory home;
  const std::string before = ::getenv("HOME") != nullptr ? ::getenv("HOME") : "";
  ::setenv("HOME", home.path().c_str(), 1);
  const HostPlaces places = HostPlaces::find(home / "state");
  ::setenv("HOME", before.c_str(), 1);
  EXPECT_NE(std::find(places.homes.begin(), places.homes.end(), home.path()), places.homes.end());
  EXPECT_EQ(places.state, home / "state");
}

}  // namespace
}  // namespace sbx::sandboxes
