// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/views/session_listing.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

const WallTime kNow = WallTime(std::chrono::seconds(1'763'000'000));  // 2025-11-13T02:13:20Z

SandboxSession listed(std::vector<std::string> command) {
  SandboxSession session{"box", {}};
  session.info.session = 2;
  session.info.command = std::move(command);
  session.info.started_at = "2025-11-13T02:10:20.041Z";
  session.info.window = {24, 80};
  return session;
}

TEST(SessionListing, ATableOfThem) {
  SandboxSession attached = listed({"claude"});
  attached.info.clients = 1;
  attached.info.watchers = 2;
  SandboxSession over = listed({"bash", "-l"});
  over.info.state = wire::SessionState::kEnded;
  over.info.exit = wire::ExecExit{3, 0, ""};
  EXPECT_EQ(session_table({listed({"vi"}), attached, over}, kNow, false),
            "SANDBOX   SESSION   STATE       CLIENTS                  SIZE    STARTED         COMMAND\n"
            "box       2         running     none                     80x24   3 minutes ago   vi\n"
            "box       2         running     1 attached, 2 watching   80x24   3 minutes ago   claude\n"
            "box       2         ended (3)                            80x24   3 minutes ago   bash -l\n");
}

TEST(SessionListing, ACommandDrivesNoTerminalAndIsCutOff) {
  const std::string table = session_table({listed({"sh", "-c", "\033[2Jevil\nline"})}, kNow, true);
  EXPECT_EQ(table.find('\033'), table.npos);
  EXPECT_NE(table.find("\\x1b[2Jevil\\x0aline"), table.npos) << table;
  const SandboxSession large = listed({std::string(200, 'x')});
  EXPECT_NE(session_table({large}, kNow, false).find(std::string(45, 'x') + "...\n"), std::string::npos);
  EXPECT_NE(session_table({large}, kNow, true).find(std::string(200, 'x')), std::string::npos);
}

TEST(SessionListing, TimesAreToldFromNow) {
  EXPECT_EQ(time_ago("2025-11-13T02:13:20.000Z", kNow), "0 seconds ago");
  EXPECT_EQ(time_ago("2025-11-13T02:13:19.000Z", kNow), "1 second ago");
  EXPECT_EQ(time_ago("2025-11-13T02:12:20.000Z", kNow), "1 minute ago");
  EXPECT_EQ(time_ago("2025-11-12T23:13:20.000Z", kNow), "3 hours ago");
  EXPECT_EQ(time_ago("2025-11-11T02:13:20.000Z", kNow), "2 days ago");
  EXPECT_EQ(time_ago("2025-11-13T02:14:20.000Z", kNow), "0 seconds ago") << "clocks may differ";
  EXPECT_EQ(time_ago("never", kNow), "never");
}

TEST(SessionListing, JsonHasEveryField) {
  const Json fields = session_fields(listed({"vi"}));
  EXPECT_EQ(fields["sandbox"], "box");
  EXPECT_EQ(fields["session"], 2);
  EXPECT_EQ(fields["state"], "running");
  EXPECT_EQ(fields["clients"], 0);
}

}  // namespace
}  // namespace sbx::cli
