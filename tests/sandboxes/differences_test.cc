// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/differences.h"

#include <gtest/gtest.h>

namespace sbx::sandboxes {
namespace {

store::Record box() {
  store::Record record;
  record.name = "box";
  record.agent = "shell";
  record.backend = "container";
  record.base.name = "shell";
  record.workspaces = {{"/project", "/project", false}, {"/library", "/library", true}};
  record.mounts = {{"/data", "/srv", true}};
  record.limits.disk = std::int64_t{20} << 30;
  return record;
}

wire::CreateRequest asking() {
  wire::CreateRequest request;
  request.agent = "shell";
  request.workspaces = {{"/project", "/project", false}};
  return request;
}

std::string differences(const wire::CreateRequest& asked) {
  const auto found = fixed_differences(box(), asked);
  return found.empty() ? "" : must_be_made_anew("box", found).what();
}

constexpr const char* kBegin = "sandbox box is there already, and only a new one can have ";

TEST(Differences, OfWhatIsNotAskedForThereAreNone) {
  EXPECT_EQ(differences(asking()), "");
  EXPECT_EQ(differences({}), "") << "run SANDBOX asks for nothing";
}

TEST(Differences, WhatIsAskedForAndThereIsNoDifference) {
  wire::CreateRequest request = asking();
  request.backend = "container";
  request.template_name = "shell";
  request.workspaces.push_back({"/library", "/library", true});
  request.mounts = {{"/data", "/srv", true}};
  request.limits.disk = std::int64_t{20} << 30;
  EXPECT_EQ(differences(request), "");
}

TEST(Differences, EachIsNamedWithWhatIsThere) {
  wire::CreateRequest request = asking();
  request.backend = "microvm";
  request.template_name = "other";
  request.pull = wire::Pull::kAlways;
  request.workspaces.push_back({"/third", "/third", false});
  request.mounts = {{"/data", "/srv", false}};
  request.limits.disk = std::int64_t{512} << 20;
  EXPECT_EQ(differences(request),
            std::string(kBegin) +
                "--backend microvm (it has container), --template other (it has shell), "
                "--pull-template always (it has the template that it was made from), "
                "workspace /third (it has /project, /library:ro), --volume /data:/srv (it has /data:/srv:ro), "
                "--disk 512m (it has 20g)");
  EXPECT_EQ(must_be_made_anew("box", {}).code(), Code::kConflict);
}

TEST(Differences, AWorkspaceThatWasReadOnlyMayComeBackUnsaidButNotTheOtherWayRound) {
  wire::CreateRequest request = asking();
  request.workspaces[0].readonly = true;
  EXPECT_EQ(differences(request), std::string(kBegin) + "workspace /project:ro (it has /project, /library:ro)");
  store::Record record = box();
  record.workspaces[0].readonly = true;
  EXPECT_TRUE(fixed_differences(record, asking()).empty());
  request = asking();
  request.workspaces.push_back({"/library", "/library", false});
  EXPECT_EQ(fixed_differences(record, request).size(), 1u) << "of one that is added it is said";
}

TEST(Differences, OfLimitsAreInTheUnitsOfTheFlags) {
  wire::Limits has;
  has.pids = 100;
  wire::Limits wanted{.cpus = 1.5, .memory = std::int64_t{4} << 30, .pids = 200};
  const auto found = limit_differences(has, wanted);
  EXPECT_EQ(must_be_stopped("box", found).what(),
            "sandbox box runs, and only its next start can give it --cpus 1.5 (it has no limit), "
            "--memory 4g (it has no limit), --pids 200 (it has 100)");
  EXPECT_EQ(must_be_stopped("box", found).hint(), "sandbox stop box, and run it again");
  EXPECT_TRUE(limit_differences(wanted, wanted).empty());
}

}  // namespace
}  // namespace sbx::sandboxes
