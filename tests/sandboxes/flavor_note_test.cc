// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/flavor_note.h"

#include <gtest/gtest.h>

namespace sbx::sandboxes {
namespace {

std::string note_for(const std::string& flavor, const std::string& agent) {
  images::Template base;
  base.name = "org/box:1";
  base.config.labels = {{"other", "codex"}, {"com.docker.sandboxes.flavor", flavor}};
  return flavor_note(base, agent, agents::Catalogue());
}

TEST(FlavorNote, NamesTheAgentThatATemplateIsMadeFor) {
  EXPECT_EQ(note_for("codex", "claude"),
            "Template org/box:1 is made for the agent codex, and this sandbox is for claude, which may not be in it.");
  EXPECT_NE(note_for("claude-code", "codex"), "") << "the vendor's name";
  EXPECT_NE(note_for("claude-code-docker", "codex"), "");
}

TEST(FlavorNote, IsEmptyWhereTheTemplateFitsOrDoesNotSay) {
  EXPECT_EQ(note_for("claude", "claude"), "");
  EXPECT_EQ(note_for("claude-code", "claude"), "");
  EXPECT_EQ(note_for("codex-docker", "codex"), "");
  EXPECT_EQ(note_for("codex", "shell"), "") << "a shell is at home in any";
  EXPECT_EQ(note_for("microvm", "claude"), "") << "no agent";
  EXPECT_EQ(flavor_note({}, "claude", agents::Catalogue()), "");
}

}  // namespace
}  // namespace sbx::sandboxes
