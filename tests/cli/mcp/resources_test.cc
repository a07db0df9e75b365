// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/resources.h"

#include <gtest/gtest.h>

#include "cli/fake_daemon.h"
#include "support/temporary_directory.h"

namespace sbx::cli::mcp {
namespace {

class McpResources : public ::testing::Test {
 protected:
  Session session() {
    return {Client(directory_ / "socket", std::nullopt), Scope::of({directory_.path()}).value(), {}};
  }
  testing::TemporaryDirectory directory_;
};

TEST_F(McpResources, OfADaemonThatFailsAreAnErrorAndNotNone) {
  const FakeDaemon fake(directory_ / "socket", [](const http::Request&) {
    return http::render(http::Response{500, {}, R"({"error":{"code":"internal","message":"the disk is gone"}})"});
  });
  Session here = session();
  const auto list = resource_list(here);
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().what(), "the disk is gone");
  EXPECT_FALSE(read_resource(here, {{"uri", "sandbox://sandboxes"}}));
}

TEST_F(McpResources, OfALogAreItsEndHoweverLongItsLinesAre) {
  const Json info = {{"id", "1"},
                     {"name", "box"},
                     {"agent", "shell"},
                     {"status", "running"},
                     {"workspaces", Json::array({{{"source", directory_.path()}, {"target", "/w"}}})}};
  const FakeDaemon fake(directory_ / "socket", [&](const http::Request& request) {
    const bool is_log = request.segments.back() == "logs";
    return http::render(is_log
                            ? http::Response{200, {{"Log-Position", "0"}}, std::string(1u << 20, 'x') + "\nthe end\n"}
                            : http::Response{200, {}, dump(info)});
  });
  Session here = session();
  const auto log = read_resource(here, {{"uri", "sandbox://sandboxes/box/log"}});
  ASSERT_TRUE(log) << log.error().what();
  const std::string text = (*log)["contents"][0]["text"];
  EXPECT_EQ(text.size(), 64u << 10);
  EXPECT_TRUE(text.ends_with("x\nthe end\n"));
}

}  // namespace
}  // namespace sbx::cli::mcp
