// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/transcript.h"

#include <gtest/gtest.h>

namespace sbx::agentloop {
namespace {

constexpr const char* kHello = R"({"type":"system","subtype":"init","cwd":"/w"})";

TEST(Transcript, KnowsTheWordsOfClaudeFromItsTools) {
  Transcript transcript(Dialect::kClaude, "prompt");
  std::string shown = transcript.take(std::string(kHello) + "\n");
  shown += transcript.take(
      R"({"type":"assistant","message":{"content":[{"type":"text","text":"I look."},{"type":"tool_use","name":"Bash","input":{"command":"cat prompt.md"}}]}})"
      "\n");
  shown += transcript.take(
      R"({"type":"user","message":{"content":[{"type":"tool_result","content":"<promise>DONE</promise>"}]}})"
      "\n");
  EXPECT_EQ(transcript.words(), "I look.");
  EXPECT_EQ(shown, "I look.\n· Bash: cat prompt.md\n");
  transcript.take(R"({"type":"result","is_error":false,"result":"Made.\n<promise>DONE</promise>"})");
  transcript.finish();
  EXPECT_EQ(transcript.words(), "Made.\n<promise>DONE</promise>");
}

TEST(Transcript, LeavesOutWordsOfClaudesHelpersAndOfItsFailures) {
  Transcript transcript(Dialect::kClaude, "prompt");
  transcript.take(
      R"({"type":"assistant","parent_tool_use_id":"toolu_1","message":{"content":[{"type":"text","text":"<promise>DONE</promise>"}]}})"
      "\n");
  EXPECT_EQ(transcript.words(), "");
  transcript.take(R"({"type":"result","is_error":true,"result":"<promise>DONE</promise>"})"
                  "\n");
  EXPECT_EQ(transcript.words(), "");
}

TEST(Transcript, KnowsTheWordsOfCodexFromItsCommands) {
  Transcript transcript(Dialect::kCodex, "prompt");
  transcript.take(
      R"({"type":"item.completed","item":{"type":"agent_message","text":"Done."}})"
      "\n"
      R"({"type":"item.completed","item":{"type":"command_execution","command":"ls","aggregated_output":"<promise>DONE</promise>"}})"
      "\n");
  EXPECT_EQ(transcript.words(), "Done.");
}

TEST(Transcript, TakesOutputInNoDialectAsWords) {
  Transcript transcript(Dialect::kClaude, "prompt");
  transcript.take("not logged in\n");
  EXPECT_EQ(transcript.words(), "not logged in\n");
}

TEST(Transcript, ReadsALineThatComesInPiecesAndForgetsOneWithoutAnEnd) {
  Transcript transcript(Dialect::kCodex, "");
  for (const char c : std::string(R"({"type":"item.completed","item":{"type":"agent_message","text":"Hello."}})"
                                  "\n"))
    transcript.take(std::string(1, c));
  EXPECT_EQ(transcript.words(), "Hello.");
  transcript.take(std::string(5u << 20, 'x'));
  EXPECT_EQ(transcript.take("\n"), "");
  EXPECT_EQ(transcript.words(), "Hello.");
}

TEST(Transcript, IsNotMisledByJsonOfOtherTypes) {
  Transcript transcript(Dialect::kClaude, "");
  for (const char* line :
       {"[1]", "{}", R"({"type":7})", R"({"type":"assistant"})", R"({"type":"assistant","message":[]})",
        R"({"type":"assistant","message":{"content":"text"}})", R"({"type":"result","result":3})"})
    transcript.take(std::string(line) + "\n");
  EXPECT_EQ(transcript.words(), "");
}

}  // namespace
}  // namespace sbx::agentloop
