// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"
#include "base/json.h"
#include "cli/asking_program.h"

namespace sbx::cli {
namespace {

class Ralph : public AskingProgram {};

TEST_F(Ralph, ThatDoesNotStartNamesTheSandboxThatIsLeft) {
  const Json info = {{"id", "1"}, {"name", "ralph-w-1"}, {"agent", "claude"}, {"status", "running"}};
  answers("POST /sandboxes", {200, {{"Connection", "close"}}, "event: result\ndata: " + dump(info) + "\n\n"});
  ASSERT_TRUE(make_directories(directory_ / "w", 0755));
  ASSERT_TRUE(write_file(directory_ / "w/PROMPT.md", "Do it."));
  const RunOutput output = sandbox({"ralph", directory_ / "w"});
  EXPECT_EQ(output.exit.code, 125);
  EXPECT_NE(output.err.find("start ralph in the sandbox ralph-w-1, which is left: it is not there"), std::string::npos)
      << output.err;
  EXPECT_NE(output.err.find("try: sandbox rm ralph-w-1\n"), std::string::npos) << output.err;
}

}  // namespace
}  // namespace sbx::cli
