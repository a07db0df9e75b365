// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/build_log.h"

#include <gtest/gtest.h>

#include "base/format.h"

namespace sbx::images {
namespace {

// Every report, as "step done/total".
struct Listener {
  std::vector<std::string> reports;
  Progress progress = [this](std::string_view step, std::int64_t done, std::int64_t total) {
    reports.push_back(sbx::format("{} {}/{}", step, done, total));
  };
};

TEST(BuildLog, StepsAreReportedAtOnceAndInOurWords) {
  Listener listener;
  BuildLog log(listener.progress);
  log.append("I: using /tmp/x as tempdir\nI: running apt-get update...\nI: extracting arch");
  log.append("ives...\n");
  EXPECT_EQ(listener.reports,
            (std::vector<std::string>{"reading package lists 0/0", "extracting the base system 0/0"}));
}

TEST(BuildLog, TheBaseSystemsPackagesAreTheTotalOfItsInstallation) {
  Listener listener;
  BuildLog log(listener.progress);
  log.append("I: downloading packages with apt...\n0 upgraded, 69 newly installed, 0 to remove and 0 not upgraded.\n");
  log.append("I: installing essential packages...\nI: installing remaining packages inside the chroot...\n");
  ASSERT_EQ(listener.reports.size(), 3u);
  EXPECT_EQ(listener.reports[1], "installing the base system 0/69");
  EXPECT_EQ(listener.reports[2], "installing packages 0/0");
}

TEST(BuildLog, TheComplaintIsTheErrorAndNotItsAftermath) {
  BuildLog log(nullptr);
  log.append(
      "Setting up a\nE: Unable to locate package nosuch\nE: setup failed\nW: umount /proc failed: 8192\n"
      "umount: /x/proc: not mounted.\nI: removing tempdir /x...\nE: mmdebstrap failed to run\n");
  EXPECT_EQ(log.complaint(),
            "Setting up a; E: Unable to locate package nosuch; E: setup failed; E: mmdebstrap failed to run");
}

TEST(BuildLog, AComplaintCannotDriveTheTerminal) {
  BuildLog log(nullptr);
  log.append("E: \x1b[2Jgone\n");
  EXPECT_EQ(log.complaint(), "E: \\x1b[2Jgone");
}

}  // namespace
}  // namespace sbx::images
