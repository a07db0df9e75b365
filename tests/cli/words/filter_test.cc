// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/filter.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

wire::SandboxInfo sandbox(const char* name, const char* agent, wire::Status status) {
  wire::SandboxInfo info;
  info.name = name;
  info.agent = agent;
  info.status = status;
  info.backend = "container";
  if (info.agent == "shell") info.labels = {{"team", "core"}, {"ticket", ""}};
  return info;
}

std::string left(const std::vector<std::string>& filters) {
  const auto parsed = Filters::parse(filters);
  if (!parsed) return parsed.error().what();
  std::string names;
  for (const auto& info :
       {sandbox("web-api", "claude", wire::Status::kRunning), sandbox("web-ui", "shell", wire::Status::kStopped),
        sandbox("data", "shell", wire::Status::kRunning)})
    if (parsed->pass(info)) names += info.name + " ";
  return names;
}

TEST(Filter, NoneLeavesAll) { EXPECT_EQ(left({}), "web-api web-ui data "); }

TEST(Filter, ANameIsAPartOfIt) {
  EXPECT_EQ(left({"name=web"}), "web-api web-ui ");
  EXPECT_EQ(left({"name=xyz"}), "");
}

TEST(Filter, OthersAreWhole) {
  EXPECT_EQ(left({"agent=shell"}), "web-ui data ");
  EXPECT_EQ(left({"agent=she"}), "");
  EXPECT_EQ(left({"status=running"}), "web-api data ");
  EXPECT_EQ(left({"backend=container"}), "web-api web-ui data ");
}

TEST(Filter, ALabelIsAKeyOrAKeyAndAValueAndSeveralHaveToBeThere) {
  EXPECT_EQ(left({"label=team"}), "web-ui data ");
  EXPECT_EQ(left({"label=team=core"}), "web-ui data ");
  EXPECT_EQ(left({"label=team=cor"}), "");
  EXPECT_EQ(left({"label=ticket="}), "web-ui data ");
  EXPECT_EQ(left({"label=team", "label=ticket=7"}), "") << "of labels all count";
}

TEST(Filter, OfOneKeyAnyWillDoAndEachKeyHasToBeMet) {
  EXPECT_EQ(left({"name=api", "name=data"}), "web-api data ");
  EXPECT_EQ(left({"name=web", "status=running", "agent=shell", "agent=claude"}), "web-api ");
}

TEST(Filter, WhatMeansNothingIsNamed) {
  EXPECT_EQ(left({"running"}), "--filter running: must be KEY=VALUE");
  EXPECT_EQ(left({"size=1\x1b"}),
            "--filter size=1\\x1b: no key \"size\" (there are: agent, backend, label, name, status)");
  EXPECT_EQ(left({"status=exited"}),
            "--filter status=exited: must be one of creating, running, stopped, removing, failed");
}

}  // namespace
}  // namespace sbx::cli
