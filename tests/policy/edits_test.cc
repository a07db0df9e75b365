// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/edits.h"

#include <gtest/gtest.h>

#include "policy/presets.h"
#include "policy/rules_file.h"
#include "policy/words.h"

namespace sbx::policy {
namespace {

struct Step {
  const char* edits;
  const char* network;  // what differs from the default lists
};

template <class T>
std::string texts(const char* name, const std::vector<T>& list) {
  std::string out;
  for (const T& item : list) out += " " + item.text();
  return list.empty() ? "" : std::string(name) + out + "; ";
}

std::string summary(const Rules& rules) {
  std::string out = rules.otherwise == Mark::kAllow ? "" : "deny; ";
  out += texts("allowed", rules.allowed) + texts("raw", rules.raw) + texts("blocked", rules.blocked) +
         texts("bypassed", rules.bypassed);
  if (rules.blocked_ranges != default_rules().blocked_ranges) out += texts("ranges", rules.blocked_ranges);
  return out + texts("but", rules.allowed_ranges) + texts("untouched", rules.bypassed_ranges);
}

const Step kSteps[] = {
    {"", ""},
    {"--policy deny", "deny; "},
    {"--policy deny --policy allow", ""},
    {"--allow-host b.test --allow-host a.test --allow-host B.TEST.", "allowed b.test a.test; "},
    {"--allow-host a.test --block-host a.test", "blocked a.test; "},
    {"--block-host a.test --allow-host a.test", "allowed a.test; "},
    {"--block-host a.test --allow-host a.test:80", "allowed a.test:80; blocked a.test; "},
    {"--block-host *.test --allow-host *.test", "allowed *.test; "},
    {"--bypass-host a.test --allow-host a.test", "allowed a.test; bypassed a.test; "},
    {"--bypass-host a.test --block-host a.test --remove-host a.test", ""},
    {"--allow-host a.test --remove-host A.test", ""},
    {"--allow-host host.docker.internal:80", "allowed localhost:80; "},
    {"--allow-raw A.test:993 --allow-raw a.test:993", "raw a.test:993; "},
    {"--allow-host a.test:993 --block-host a.test --allow-raw a.test:993", "raw a.test:993; blocked a.test; "},
    {"--block-host a.test:993 --allow-raw a.test:993", "raw a.test:993; "},
    {"--allow-raw a.test:993 --allow-host a.test:993", "allowed a.test:993; "},
    {"--allow-raw a.test:993 --block-host a.test:993", "blocked a.test:993; "},
    {"--allow-raw a.test:993 --remove-host a.test:993", ""},
    {"--allow-raw a.test:993 --reset", ""},
    {"--allow-raw host.docker.internal:5432", "raw localhost:5432; "},
    {"--allow-cidr 10.1.0.0/16", "but 10.1.0.0/16; "},
    {"--allow-cidr 10.1.0.0/16 --block-cidr 10.0.0.0/8", ""},
    {"--allow-cidr 10.1.0.0/16 --allow-cidr 10.0.0.0/8",
     "ranges 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16 ::1/128 fc00::/7 fe80::/10; "},
    {"--allow-cidr fc00::/6",
     "ranges 10.0.0.0/8 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16 ::1/128; but fc00::/6; "},
    {"--allow-cidr 100.64.0.0/10", "but 100.64.0.0/10; "},
    {"--allow-cidr 1.1.1.0/24", ""},
    {"--block-cidr 1.1.1.0/24 --allow-cidr 1.1.1.0/24", ""},
    {"--bypass-cidr 1.1.1.0/24", "untouched 1.1.1.0/24; "},
    {"--bypass-cidr 1.1.1.0/24 --allow-cidr 1.1.1.0/24", ""},
    {"--bypass-cidr 1.1.1.0/24 --bypass-cidr 1.1.1.0/24", "untouched 1.1.1.0/24; "},
    {"--policy deny --allow-host a.test --bypass-cidr 1.1.1.0/24 --allow-cidr 10.0.0.0/8 --reset", ""},
};

TEST(Edits, LaterOneWins) {
  for (const auto& [edits, network] : kSteps) EXPECT_EQ(summary(rules_after(edits)), network) << edits;
}

TEST(Edits, RefusesWhatCannotBeMeant) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"--policy maybe", "--policy: the policy is allow or deny, not \"maybe\""},
      {"--allow-host", "--allow-host: bad host \"\": it is empty"},
      {"--allow-raw a.test",
       "--allow-raw: bad host pattern \"a.test\": write a host and a port, as in imap.example.com:993"},
      {"--allow-raw *.test:993",
       "--allow-raw: bad host pattern \"*.test:993\": write a host and a port, as in imap.example.com:993"},
      {"--remove-host a.test", "--remove-host: no rule for a.test"},
      {"--block-cidr 10.0.0.1", "--block-cidr: bad address range \"10.0.0.1\": it has no length: write 10.0.0.1/32"},
      {"--preset everything", "--preset: no preset \"everything\": there is agent"},
      {"--open-sesame", "no edit \"open-sesame\""},
  };
  for (const auto& [edits, error] : mistakes) {
    const auto rules = edited(default_rules(), edits_of(edits));
    ASSERT_FALSE(rules) << edits;
    EXPECT_EQ(rules.error().what(), error);
  }
}

TEST(Edits, ErrorAnywhereIsAnErrorOfAll) {
  EXPECT_FALSE(edited(default_rules(), edits_of("--policy deny --allow-host a.test --allow-host b*")));
}

TEST(Edits, SurviveTheFile) {
  for (const auto& [edits, network] : kSteps) {
    const Rules rules = rules_after(edits);
    const auto again = read_rules(write_rules(rules), "file");
    ASSERT_TRUE(again) << again.error().what();
    EXPECT_EQ(*again, rules) << edits;
  }
}

TEST(Presets, AreOfWellFormedPatternsWithoutPorts) {
  for (const Preset& preset : presets())
    for (const std::string_view host : preset.hosts) {
      const auto pattern = Pattern::parse(host);
      ASSERT_TRUE(pattern) << host;
      EXPECT_EQ(pattern->text(), host);
      EXPECT_FALSE(pattern->port()) << host << " would let other protocols through";
    }
}

TEST(Presets, NameNoHostTwice) {
  for (const Preset& preset : presets())
    EXPECT_EQ(rules_after(sbx::format("--preset {}", preset.name)).allowed.size(), preset.hosts.size());
}

TEST(Presets, KeepTheUsersOwnRules) {
  const Rules rules = rules_after("--block-host a.test --allow-host b.test --preset agent");
  EXPECT_EQ(rules.otherwise, Mark::kBlock);
  EXPECT_EQ(rules.blocked.size(), 1U);
  EXPECT_EQ(rules.allowed.front().text(), "b.test");
}

}  // namespace
}  // namespace sbx::policy
