// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/exec.h"

#include <gtest/gtest.h>

#include "base/value.h"

namespace sbx::wire {
namespace {

Result<ExecRequest> decode(std::string_view text) {
  TRY_ASSIGN(const Json json, parse_json(text));
  return value_of<ExecRequest>(json, "exec");
}

TEST(ExecRequest, SurvivesTheWire) {
  ExecRequest request;
  request.command = {"sh", "-c", "echo \"ü\""};
  request.environment = {{"A", "1"}, {"EMPTY", ""}};
  request.user = "agent:docker";
  request.directory = "/srv";
  request.tty = request.interactive = request.detach = request.privileged = true;
  request.window = {24, 80};
  const auto back = value_of<ExecRequest>(json_of(request), "exec");
  ASSERT_TRUE(back) << back.error().what();
  EXPECT_EQ(back->command, request.command);
  EXPECT_EQ(back->environment, request.environment);
  EXPECT_EQ(back->user, request.user);
  EXPECT_EQ(back->directory, request.directory);
  EXPECT_TRUE(back->tty && back->interactive && back->detach && back->privileged);
  EXPECT_EQ(back->window.columns, 80);
}

TEST(ExecRequest, BadRequestsAreNamed) {
  struct Case {
    const char* text;
    const char* says;
  };
  for (const Case& c : {
           Case{R"([])", "must be a JSON object"},
           Case{R"({})", "\"command\" is empty"},
           Case{R"({"command":"ls"})", "\"command\" must be an array"},
           Case{R"({"command":["ls",1]})", "each of \"command\" must be a string"},
           Case{R"({"command":["a\u0000b"]})", "each of \"command\" must be a string"},
           Case{R"({"command":["ls"],"tti":true})", "unknown member \"tti\""},
           Case{R"({"command":["ls"],"tty":"yes"})", "\"tty\" must be true or false"},
           Case{R"({"command":["ls"],"rows":70000})", "\"rows\" is out of range"},
           Case{R"({"command":["ls"],"rows":-1})", "\"rows\" is out of range"},
           Case{R"({"command":["ls"],"environment":{"A=B":"x"}})", "bad environment variable name"},
           Case{R"({"command":["ls"],"environment":{"":"x"}})", "bad environment variable name"},
           Case{R"({"builtin":"format","path":"/"})",
                "\"builtin\" must be pack, unpack, stat, list, read, hold, changes, connect or listens"},
           Case{R"({"builtin":"pack"})", "\"path\" is missing"},
           Case{R"({"builtin":"read","path":"/x","offset":-1})", "\"offset\" must not be negative"},
           Case{R"({"builtin":"pack","path":"/x","tty":true})", "takes no command and no terminal"},
       }) {
    const auto request = decode(c.text);
    ASSERT_FALSE(request) << c.text;
    EXPECT_NE(request.error().what().find(c.says), std::string::npos) << c.text << " → " << request.error().what();
    EXPECT_EQ(request.error().code(), Code::kInvalid);
  }
}

TEST(ExecExit, CodeMustBeAnExitCode) {
  EXPECT_TRUE(value_of<ExecExit>(Json{{"code", 255}}, "exit"));
  EXPECT_FALSE(value_of<ExecExit>(Json{{"code", 256}}, "exit"));
  EXPECT_FALSE(value_of<ExecExit>(Json{{"code", -1}}, "exit"));
}

}  // namespace
}  // namespace sbx::wire
