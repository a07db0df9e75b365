// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/ralph_status.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::agentloop {
namespace {

class RalphStatus : public ::testing::Test {
 protected:
  RalphStatus() { EXPECT_TRUE(make_directories(directory_ / ".ralph", 0755)); }
  std::string status_with(const std::string& history) {
    EXPECT_TRUE(write_file(directory_ / ".ralph/ralph-history.json", history));
    return status_text(directory_.path(), false);
  }
  testing::TemporaryDirectory directory_;
};

TEST_F(RalphStatus, OfALoopThatHasEndedHasItsHistory) {
  const std::string text = status_with(R"({"iterations": [
      {"iteration": 1, "durationMs": 4000, "exitCode": 0, "filesModified": ["a", "b"],
       "toolsUsed": {"Bash": 2, "Edit": 9, "Grep": 1, "Read": 2}, "errors": []},
      {"iteration": 2, "durationMs": 5000, "exitCode": 3, "filesModified": [], "toolsUsed": {}, "errors": ["error: x"]}],
      "totalDurationMs": 9000, "struggleIndicators":
      {"repeatedErrors": {"error: x": 2, "error: y": 1}, "noProgressIterations": 1, "shortIterations": 3}})");
  EXPECT_NE(text.find("No active loop\n"
                      "HISTORY (2 iterations, 9 s)\n"
                      "  #1: 4 s, exit 0, 2 files, Edit 9, Bash 2, Read 2\n"
                      "  #2: 5 s, exit 3, 0 files\n"
                      "STRUGGLE: 3 iterations of less than 30 s\n"
                      "STRUGGLE: 2 times: error: x\n"),
            std::string::npos)
      << text;
}

TEST_F(RalphStatus, TakesAnythingForAHistory) {
  const std::string none = "No active loop\n";
  for (const char* history :
       {"", "no json", "[]", "3", R"({"iterations": 3})", R"({"iterations": [1, {"iteration": "x"}]})",
        R"({"struggleIndicators": {"repeatedErrors": [1, "x"]}})"})
    EXPECT_TRUE(status_with(history).ends_with(none)) << history;
  EXPECT_NE(status_with(R"({"iterations": [{"iteration": 1, "toolsUsed": 7, "errors": "x", "filesModified": null}]})")
                .find("  #1: 0 s, exit 0, 0 files\n"),
            std::string::npos);
}

}  // namespace
}  // namespace sbx::agentloop
