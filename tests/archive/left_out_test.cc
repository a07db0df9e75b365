// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "archive/left_out.h"

#include <gtest/gtest.h>

namespace sbx::archive {
namespace {

TEST(LeftOut, HasWhatIsTheSandboxsOwn) {
  const LeftOut left_out = LeftOut::of_sandbox({"/home/me/work", "//srv"});
  for (const char* path : {"tmp", "tmp/a", "etc/hosts", "run/x/y", "usr/local/share/ca-certificates/proxy-ca.crt",
                           "home/me/work", "home/me/work/file", "srv/data"})
    EXPECT_TRUE(left_out.has(path)) << path;
  for (const char* path : {"tmpfile", "etc/hosts.allow", "home/me", "home/me/workshop", "var/tmp", "usr/run", "srvs"})
    EXPECT_FALSE(left_out.has(path)) << path;
}

TEST(LeftOut, IsNothingOfALayer) {
  const LeftOut nothing = LeftOut::nothing();
  EXPECT_FALSE(nothing.has("etc/hosts"));
  EXPECT_FALSE(nothing.has_link("etc/ssl/certs/0a.0", "proxy-ca.pem"));
  EXPECT_FALSE(nothing.is_bundle("etc/ssl/certs/ca-certificates.crt"));
  EXPECT_FALSE(nothing.has_unchanged("etc/x", init_mark("/etc/x", 1, 2, 3), 1, 2, 3));
}

TEST(LeftOut, HasTheLinksToTheAuthority) {
  const LeftOut left_out = LeftOut::of_sandbox({});
  EXPECT_TRUE(left_out.has_link("etc/ssl/certs/0a1b2c3d.0", "proxy-ca.pem"));
  EXPECT_FALSE(left_out.has_link("etc/ssl/certs/0a1b2c3d.0", "other.pem"));
  EXPECT_FALSE(left_out.has_link("home/me/0a1b2c3d.0", "proxy-ca.pem"));
}

TEST(LeftOut, HasTheLinkToRalphAndNoRalphOfTheUsers) {
  const LeftOut left_out = LeftOut::of_sandbox({});
  EXPECT_TRUE(left_out.has_link("usr/local/bin/ralph", "/run/sandbox/bin/ralph"));
  EXPECT_FALSE(left_out.has_link("usr/local/bin/ralph", "/opt/ralph"));
  EXPECT_FALSE(LeftOut::nothing().has_link("usr/local/bin/ralph", "/run/sandbox/bin/ralph"));
}

TEST(LeftOut, HasAFileOfInitsUntilItIsChangedOrCopied) {
  const LeftOut left_out = LeftOut::of_sandbox({});
  const std::string mark = init_mark("/etc/passwd", 10, 20, 30);
  EXPECT_TRUE(left_out.has_unchanged("etc/passwd", mark, 10, 20, 30));
  EXPECT_FALSE(left_out.has_unchanged("etc/passwd", mark, 11, 20, 30));
  EXPECT_FALSE(left_out.has_unchanged("etc/passwd", mark, 10, 20, 31));
  EXPECT_FALSE(left_out.has_unchanged("root/passwd", mark, 10, 20, 30));
  EXPECT_FALSE(left_out.has_unchanged("etc/passwd", "", 10, 20, 30));
}

TEST(LeftOut, TakesTheAuthorityOutOfABundleAndNothingElse) {
  const std::string own = "-----BEGIN-----\nown\n-----END-----\n";
  EXPECT_EQ(without_authority("a\nb\n\n" + own, own), "a\nb\n");
  EXPECT_EQ(without_authority("a\n" + own + "b\n", own), "a\nb\n");
  EXPECT_EQ(without_authority(own, own), "");
  EXPECT_EQ(without_authority(own + own + "c\n", own), "c\n");
  EXPECT_EQ(without_authority("a\n", ""), "a\n");
  EXPECT_EQ(without_authority("a\n", own), "a\n");
}

}  // namespace
}  // namespace sbx::archive
