// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/accounts.h"

#include <gtest/gtest.h>

namespace sbx::guest {
namespace {

constexpr std::string_view kPasswd =
    "root:x:0:0:root:/root:/bin/bash\n"
    "# a comment:x:1:1::/:/bin/sh\n"
    "broken line\n"
    "negative:x:-1:0::/:/bin/sh\n"
    "ubuntu:x:1000:1001::/home/ubuntu:/bin/zsh\n"
    "777:x:55:55::/home/number:/bin/sh\n"
    "bare:x:60:60::: \n"
    "last:x:2000:2000::/home/last:";
constexpr std::string_view kGroup =
    "root:x:0:\n"
    "sudo:x:27:ubuntu,last\n"
    "docker:x:998:ubuntu\n"
    "broken:x:notanumber:ubuntu\n"
    "staff:x:50:\n";

Result<Identity> resolve(std::string_view user) { return resolve_user(user, kPasswd, kGroup); }

TEST(Accounts, LinesThatMakeNoSenseArePassedOver) {
  for (const char* name : {"# a comment", "broken line", "negative", ""})
    EXPECT_FALSE(find_account(kPasswd, name)) << name;
  EXPECT_FALSE(find_account(kPasswd, uid_t{1}));  // the comment's
  EXPECT_FALSE(find_group(kGroup, "broken"));
  for (const char* name : {"root", "ubuntu", "777", "bare", "last"}) EXPECT_TRUE(find_account(kPasswd, name)) << name;
  for (const char* name : {"root", "sudo", "docker", "staff"}) EXPECT_TRUE(find_group(kGroup, name)) << name;
  EXPECT_FALSE(find_account("", "root"));
}

TEST(Accounts, TheFirstLineThatFitsIsTheAnswer) {
  EXPECT_EQ(find_account("a:x:1:1::/one:\na:x:2:2::/two:\nb:x:1:3::/three:\n", "a")->home, "/one");
  EXPECT_EQ(find_account("a:x:1:1::/one:\na:x:2:2::/two:\nb:x:1:3::/three:\n", uid_t{1})->home, "/one");
  EXPECT_EQ(find_group("g:x:7:\ng:x:8:\n", "g"), gid_t{7});
}

TEST(Accounts, AGroupIsTakenByAnyLine) {
  EXPECT_TRUE(is_taken(kGroup, 998));
  EXPECT_FALSE(is_taken(kGroup, 999));
}

TEST(Accounts, UsersAreResolvedAsDockerDoes) {
  const struct {
    std::string_view user;
    uid_t uid;
    gid_t gid;
    std::vector<gid_t> groups;
    std::string home;
  } cases[] = {
      {"", 1000, 1001, {27, 998}, "/home/ubuntu"},  // uid 1000 is the agent, whatever its name
      {"root", 0, 0, {}, "/root"},
      {"0", 0, 0, {}, "/root"},
      {"1000", 1000, 1001, {27, 998}, "/home/ubuntu"},
      {"ubuntu:staff", 1000, 50, {}, "/home/ubuntu"},  // a group that is asked for is the only one
      {"ubuntu:4711", 1000, 4711, {}, "/home/ubuntu"},
      {":staff", 1000, 50, {}, "/home/ubuntu"},
      {"4242", 4242, 0, {}, "/"},  // no account
      {"4242:27", 4242, 27, {}, "/"},
      {"777", 55, 55, {}, "/home/number"},  // a name comes before a number
      {"last", 2000, 2000, {27}, "/home/last"},
  };
  for (const auto& item : cases) {
    const auto identity = resolve(item.user);
    ASSERT_TRUE(identity) << item.user << ": " << identity.error().what();
    EXPECT_EQ(identity->uid, item.uid) << item.user;
    EXPECT_EQ(identity->gid, item.gid) << item.user;
    EXPECT_EQ(identity->groups, item.groups) << item.user;
    EXPECT_EQ(identity->home, item.home) << item.user;
  }
  EXPECT_EQ(resolve("last")->shell, "/bin/sh");
}

TEST(Accounts, UnknownNamesAndImpossibleNumbersAreErrors) {
  for (const char* user : {"nobody-here", "root:no-such-group", "-1", "4294967295", "99999999999999", "1000:", "a b"})
    EXPECT_FALSE(resolve(user)) << user;
}

TEST(Accounts, WithoutAnyAccountTheAgentIsANumber) {
  const auto identity = resolve_user("", {}, {});
  ASSERT_TRUE(identity);
  EXPECT_EQ(identity->uid, 1000u);
  EXPECT_EQ(identity->gid, 1000u);
}

}  // namespace
}  // namespace sbx::guest
