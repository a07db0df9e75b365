// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/views/listing.h"

#include <gtest/gtest.h>

#include "base/value.h"
#include "support/golden.h"

namespace sbx::cli {
namespace {

using testing::expect_golden;

wire::SandboxInfo running_box() {
  wire::SandboxInfo box;
  box.id = "0f3c6a52-8a41-4b7e-9d11-3a5f0c8e2b17";
  box.name = "shell-project";
  box.agent = "shell";
  box.status = wire::Status::kRunning;
  box.docker = wire::DockerMode::kOnDemand;
  box.isolation = wire::Isolation::kContainer;
  box.backend = "runc";
  box.template_name = "shell";
  box.template_digest = "sha256:5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef";
  box.created_at = "2026-11-15T19:22:23.041Z";
  box.state_directory = "/home/u/.docker/sandboxes/vm/shell-project";
  box.directory = "/home/u/project";
  box.workspaces = {{"/home/u/project", "/home/u/project", false}, {"/home/u/library", "/home/u/library", true}};
  box.mounts = {{"/home/u/data", "/data", true}};
  box.environment = {{"TOKEN", "value"}};
  box.limits = {1.5, 536870912, 200, 21474836480, wire::DiskBound::kLoopImage};
  box.ports = {{"127.0.0.1", 8080, 3000}, {"::1", 40001, 443}};
  box.hosts = {{"db.test", "10.0.0.5"}};
  box.labels = {{"team", "core"}, {"docker/sandbox", "not ours to say"}};
  box.covered_sockets = {"/home/u/project/agent.sock"};
  box.shim_pid = 4711;
  box.init_pid = 4712;
  box.timings = {{"total", 41000}};
  return box;
}

wire::SandboxInfo stopped_box() {
  wire::SandboxInfo box = running_box();
  box.name = "x";
  box.status = wire::Status::kStopped;
  box.reason = "the machine was killed (signal 9)";
  box.isolation = wire::Isolation::kMicrovm;
  box.workspaces = {{"/srv/\x1b[31mred", "/srv/\x1b[31mred", false}};
  box.ports = {};
  box.shim_pid = box.init_pid = 0;
  return box;
}

TEST(Listing, TableHasAlignedColumnsAndEscapesWhatCouldDriveATerminal) {
  expect_golden("cli/ls.txt", listing_table({running_box(), stopped_box()}));
}

TEST(Listing, JsonHasTheVendorsMembersAndOurs) {
  expect_golden("cli/ls.json", dump_pretty(listing_json({running_box(), stopped_box()})) + "\n");
}

TEST(Listing, SizesAreAColumnIfTheyAreAskedFor) {
  const std::string table = listing_table({running_box()}, {{"shell-project", 1'500'000}});
  EXPECT_NE(table.find("STATUS    SIZE     ISOLATION"), std::string::npos) << table;
  EXPECT_NE(table.find("running   1.5 MB   "), std::string::npos) << table;
  EXPECT_EQ(listing_fields(running_box(), {{"shell-project", 7}})["size"], 7);
}

TEST(Listing, OnlyARunningSandboxHasASocket) {
  const Json vms = listing_json({running_box(), stopped_box()})["vms"];
  EXPECT_EQ(vms[0]["socket_path"], "/home/u/.docker/sandboxes/vm/shell-project/docker.sock");
  EXPECT_FALSE(vms[1].contains("socket_path"));
}

TEST(Listing, NoSandboxesAreAnEmptyList) { EXPECT_EQ(dump(listing_json({})), R"({"vms":[]})"); }

TEST(Listing, EveryFieldOfATemplateIsThereWhateverTheState) {
  const Json running = listing_fields(running_box());
  const Json stopped = listing_fields(stopped_box());
  for (const auto& [key, value] : running.items()) EXPECT_TRUE(stopped.contains(key)) << key;
  EXPECT_EQ(running["workspace"], "/home/u/project, /home/u/library:ro");
}

TEST(Listing, InspectionShowsAllThatIsKnown) {
  expect_golden("cli/inspect.json", dump_pretty(inspection(running_box(), 123456, {{"policy", "deny"}}, 4096)) + "\n");
}

TEST(Listing, TheFlavorLabelIsTheKindOfIsolation) {
  EXPECT_EQ(inspection(running_box(), 0, {}, 0)["labels"]["com.docker.sandboxes.flavor"], "container");
  EXPECT_EQ(inspection(stopped_box(), 0, {}, 0)["labels"]["com.docker.sandboxes.flavor"], "microvm");
}

}  // namespace
}  // namespace sbx::cli
