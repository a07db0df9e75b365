// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/prompt.h"

#include <gtest/gtest.h>

namespace sbx::agentloop {
namespace {

Settings settings() {
  Settings settings;
  settings.prompt = "Build it.";
  settings.promise = "DONE";
  return settings;
}

TEST(Prompt, HasTheTaskTheContextAndHowItEnds) {
  const std::string prompt = prompt_for(settings(), 2, std::nullopt, "## Context\nfaster\n");
  EXPECT_TRUE(prompt.starts_with("Build it.\n\n## Context\nfaster\n\n"));
  EXPECT_NE(prompt.find("iteration 2 of at most 30"), std::string::npos);
  EXPECT_NE(prompt.find("<promise>DONE</promise>"), std::string::npos);
}

TEST(Prompt, IsNoPromiseItself) {
  Settings all = settings();
  all.abort_promise = "NEVER";
  all.until_command = "make";
  for (const std::string& prompt :
       {prompt_for(settings(), 1, std::nullopt, ""), prompt_for(all, 1, std::nullopt, "")}) {
    EXPECT_FALSE(is_promised(prompt, "DONE", PromiseForm::kPlain));
    EXPECT_FALSE(is_promised(prompt, "NEVER", PromiseForm::kPlain));
    EXPECT_EQ(prompt.find("\n<promise>"), std::string::npos);
  }
}

TEST(Prompt, NamesTheStoryAndWhatMakesItPass) {
  Settings stories = settings();
  stories.prd = "prd.json";
  Story story;
  story.id = "S1";
  story.title = "Title";
  story.acceptance = {"it works"};
  const std::string prompt = prompt_for(stories, 1, story, "");
  EXPECT_NE(prompt.find("\nS1: Title\n"), std::string::npos);
  EXPECT_NE(prompt.find("\n- it works\n"), std::string::npos);
}

TEST(Prompt, NamesTheListByItsWholePathToAnAgentInAWorktree) {
  Settings lists = settings();
  lists.directory = "/work";
  lists.prd = "prd.json";
  lists.tasks = "doc/tasks.md";
  const std::string here = prompt_for(lists, 1, Story{}, "");
  EXPECT_NE(here.find(" story of prd.json,"), std::string::npos);
  EXPECT_NE(here.find(" are in doc/tasks.md."), std::string::npos);
  lists.worktree = "side";
  const std::string elsewhere = prompt_for(lists, 1, Story{}, "");
  EXPECT_NE(elsewhere.find(" story of /work/prd.json,"), std::string::npos);
  EXPECT_NE(elsewhere.find(" are in /work/doc/tasks.md."), std::string::npos);
}

}  // namespace
}  // namespace sbx::agentloop
