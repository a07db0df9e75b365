// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/scope.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/temporary_directory.h"

namespace sbx::cli::mcp {
namespace {

class McpScope : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"/work/deep", "/work2"}) std::filesystem::create_directories(directory_.path() + name);
    std::filesystem::create_symlink("../work2", directory_.path() + "/work/out");
  }

  Scope scope() { return Scope::of({work()}).value(); }
  std::string work() { return directory_.path() + "/work"; }

  testing::TemporaryDirectory directory_;
};

TEST_F(McpScope, HasItsDirectoriesAndWhatIsInThem) {
  EXPECT_EQ(scope().directory(work()).value(), work());
  EXPECT_EQ(scope().directory(".").value(), work());
  EXPECT_EQ(scope().directory("deep").value(), work() + "/deep");
  EXPECT_EQ(scope().directory(work() + "/deep/..").value(), work());
}

TEST_F(McpScope, IsLeftByNoDotsNoLinkAndNoLongerName) {
  for (const std::string& path : {std::string(".."), std::string("/"), work() + "2", work() + "/out",
                                  std::string("out"), std::string("deep/../../work2")}) {
    const auto found = scope().directory(path);
    ASSERT_FALSE(found) << path;
    EXPECT_EQ(found.error().code(), Code::kForbidden) << path;
  }
  EXPECT_FALSE(scope().directory("nowhere"));
}

TEST_F(McpScope, HasASandboxOnlyWithAllItsDirectories) {
  wire::SandboxInfo sandbox;
  sandbox.workspaces = {{work() + "/deep", work() + "/deep", false}};
  EXPECT_TRUE(scope().check(sandbox));
  sandbox.mounts = {{work() + "2", "/elsewhere", true}};
  EXPECT_FALSE(scope().check(sandbox));
}

TEST_F(McpScope, HasNoSandboxWithoutAWorkspaceAndNoMcpServer) {
  wire::SandboxInfo sandbox;
  EXPECT_FALSE(scope().check(sandbox));
  sandbox.mounts = {{work() + "/deep", "/deep", true}};
  EXPECT_FALSE(scope().check(sandbox));
  sandbox.workspaces = {{work(), work(), false}};
  EXPECT_TRUE(scope().check(sandbox));
  sandbox.mcp_command = {"server"};
  EXPECT_FALSE(scope().check(sandbox));
}

TEST_F(McpScope, NeedsADirectoryThatIsThere) {
  EXPECT_FALSE(Scope::of({}));
  EXPECT_FALSE(Scope::of({work() + "/nowhere"}));
}

}  // namespace
}  // namespace sbx::cli::mcp
