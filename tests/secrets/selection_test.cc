// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/selection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace sbx::secrets {
namespace {

class SelectionTest : public ::testing::Test {
 protected:
  void add(const std::string& name, const std::string& value) {
    contents.ledger.secrets.push_back({{name, "", "", ""}, ""});
    contents.values[name] = std::make_shared<const Secret>(Secret::copy_of(value));
  }
  void bind(const std::string& secret, const std::string& service, const std::string& sandbox_id) {
    wire::Binding binding;
    binding.secret = secret;
    binding.service = service;
    binding.sandbox_id = sandbox_id;
    contents.ledger.bindings.push_back(binding);
  }
  const Selected* find(const std::string& name) {
    selected = select_secrets(contents, environment, "box");
    const auto found = std::ranges::find_if(selected, [&](const Selected& one) { return one.name() == name; });
    return found == selected.end() ? nullptr : &*found;
  }

  Contents contents;
  EnvironmentSecrets environment;
  std::vector<Selected> selected;
};

TEST_F(SelectionTest, NothingIsThereWithoutASecret) {
  EXPECT_TRUE(select_secrets(contents, environment, "box").empty());
}

TEST_F(SelectionTest, GoesFromTheNearestSourceToTheFarthest) {
  environment["ANTHROPIC_API_KEY"] = std::make_shared<const Secret>(Secret::copy_of("of the environment"));
  ASSERT_NE(find("anthropic"), nullptr);
  EXPECT_EQ(find("anthropic")->source(), "variable ANTHROPIC_API_KEY of the daemon");
  add("anthropic", "by name");
  EXPECT_EQ(find("anthropic")->source(), "secret anthropic");
  add("team", "bound to all");
  bind("team", "anthropic", "");
  EXPECT_EQ(find("anthropic")->source(), "secret team, bound to all sandboxes");
  add("own", "bound to this one");
  bind("own", "anthropic", "box");
  EXPECT_EQ(find("anthropic")->source(), "secret own, bound to the sandbox");
  EXPECT_EQ(find("anthropic")->value->view(), "bound to this one");
}

TEST_F(SelectionTest, AnotherSandboxsBindingIsNotThisOnes) {
  add("own", "v");
  bind("own", "github", "another");
  EXPECT_EQ(find("github"), nullptr);
}

TEST_F(SelectionTest, TheSeedsNamesMeanTheirServices) {
  add("claude_setup_token", "sk-ant-oat01-x");
  ASSERT_NE(find("anthropic"), nullptr);
  EXPECT_EQ(find("anthropic")->service->guest_variables.front(), "CLAUDE_CODE_OAUTH_TOKEN");
  add("codex_auth_json", R"({"tokens":{"access_token":"t"}})");
  ASSERT_NE(find("openai"), nullptr);
  EXPECT_EQ(find("openai")->service->form, ValueForm::kCodexFile);
}

TEST_F(SelectionTest, AServicesNameMayHoldAKeyOrAToken) {
  add("anthropic", "sk-ant-oat01-x");
  EXPECT_EQ(find("anthropic")->service->places.front().header, "authorization");
  contents.values["anthropic"] = std::make_shared<const Secret>(Secret::copy_of("sk-ant-api03-x"));
  EXPECT_EQ(find("anthropic")->service->places.front().header, "x-api-key");
}

TEST_F(SelectionTest, OfAServiceThereIsOne) {
  add("anthropic", "key");
  add("claude_setup_token", "sk-ant-oat01-x");
  (void)find("anthropic");
  EXPECT_EQ(std::ranges::count_if(selected, [](const auto& one) { return one.name() == "anthropic"; }), 1);
}

TEST(DaemonEnvironment, IsTakenOutOfTheProcess) {
  ::setenv("GROQ_API_KEY", "gsk-taken", 1);
  const char* before = std::getenv("GROQ_API_KEY");
  const auto taken = take_environment_secrets();
  ASSERT_TRUE(taken.contains("GROQ_API_KEY"));
  EXPECT_EQ(taken.at("GROQ_API_KEY")->view(), "gsk-taken");
  EXPECT_EQ(std::getenv("GROQ_API_KEY"), nullptr);
  EXPECT_EQ(*before, 0);
}

}  // namespace
}  // namespace sbx::secrets
