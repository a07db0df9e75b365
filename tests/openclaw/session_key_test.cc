// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "openclaw/session_key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace sbx::openclaw {
namespace {

bool is_main(const char* key, const KeyRules& rules = {}) {
  const auto session = parse_session(key, rules);
  return session && session->is_main;
}

TEST(SessionKey, IsOfTheMainSessionOnlyCharacterByCharacter) {
  for (const char* key : {"main", "agent:main:main", "agent:work:main"}) EXPECT_TRUE(is_main(key)) << key;
  for (const char* key : {"Main", "MAIN", "agent:Main:main", "Agent:main:main", "agent:main:main:thread:1", "main2",
                          "agent:main:telegram:group:42", "agent:main:MAIN", "../main", "main/", "global", "mаin"})
    EXPECT_FALSE(is_main(key)) << key;
}

TEST(SessionKey, FollowsTheConfiguredNamesOfTheMainSession) {
  const KeyRules rules{.main_key = "home", .is_global = true, .usual_agent = "work"};
  for (const char* key : {"home", "main", "global", "agent:work:home", "agent:x:home"})
    EXPECT_TRUE(is_main(key, rules)) << key;
  EXPECT_EQ(parse_session("main", rules)->key, "agent:work:home");
  EXPECT_EQ(parse_session("group:1", rules)->agent, "work");
}

TEST(SessionKey, WithBlanksOrControlCharactersIsNone) {
  for (const char* key : {"", " main", "main ", "a\nb", "a\tb", "a\x1b[31m", "\xff",
                          "a\xe2\x80\xae"
                          "b"})
    EXPECT_FALSE(parse_session(key, {})) << key;
  EXPECT_FALSE(parse_session(std::string(513, 'x'), {}));
  EXPECT_FALSE(parse_session(std::string_view("a\0b", 3), {}));
}

TEST(SessionKey, NamesItsAgent) {
  EXPECT_EQ(parse_session("agent:Work:group:1", {})->agent, "work");
  EXPECT_EQ(parse_session("discord:channel:1", {})->agent, "main");
  for (const char* key : {"agent:", "agent::x", "agent:../etc:x", "agent:work", "agent:work:", "agent:-x:y"})
    EXPECT_FALSE(parse_session(key, {})) << key;
}

TEST(SessionKey, HasASandboxByTheScope) {
  const Session group = *parse_session("agent:work:group:1", {});
  EXPECT_EQ(scope_key(group, Scope::kSession), "agent:work:group:1");
  EXPECT_EQ(scope_key(group, Scope::kAgent), "agent:work");
  EXPECT_EQ(scope_key(group, Scope::kShared), "shared");
  EXPECT_EQ(scope_key(*parse_session("main", {}), Scope::kSession), "agent:main:main");
}

TEST(SessionKey, TheSettingsOfASandboxAreThoseOfTheAgentInItsScope) {
  const KeyRules rules{.usual_agent = "home"};
  EXPECT_EQ(agent_of_scope("agent:work:group:1", rules), "work");
  EXPECT_EQ(agent_of_scope("agent:work", rules), "work");
  for (const char* other : {"shared", "telegram:42", "agent:", "agent:../x", ""})
    EXPECT_EQ(agent_of_scope(other, rules), "home") << other;
}

TEST(SessionKey, IsASafeNameWhateverIsInIt) {
  std::set<std::string> all;
  for (const char* key : {"../../etc/passwd", "..", "/", "a/b", "a-b", "A-B", "a:b", "--x", "$(id)", "\xea\xb0\x92"}) {
    const std::string slug = slug_of(key, 50);
    EXPECT_TRUE(all.insert(slug).second) << key;
    EXPECT_LE(slug.size(), 50u);
    EXPECT_TRUE(std::ranges::all_of(slug, [](unsigned char c) { return std::isalnum(c) || c == '-'; })) << slug;
    EXPECT_TRUE(std::isalnum(static_cast<unsigned char>(slug.front()))) << slug;
  }
  EXPECT_EQ(slug_of(std::string(500, 'x'), 50).size(), 50u);
}

}  // namespace
}  // namespace sbx::openclaw
