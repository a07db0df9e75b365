// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/networks.h"

#include <gtest/gtest.h>

#include "base/value.h"
#include "support/daemon_test.h"

namespace sbx::sandboxes {
namespace {

class NetworksTest : public sbx::testing::DaemonTest {
 protected:
  void make(const std::string& manner = "", const Ports& ports = {}) {
    wire::CreateRequest request = world.request("box", manner);
    request.ports = ports;
    const auto created = daemon->creation.create(request, {});
    ASSERT_TRUE(created) << created.error().what();
  }
  void start() {
    const auto started = daemon->lifecycle.start("box");
    ASSERT_TRUE(started) << started.error().what();
  }
  std::string file(const std::string& name) const { return world.home.machine("box") + "/" + name; }
  std::string published() const {
    std::string texts;
    const auto info = daemon->registry.info("box");
    for (const auto& port : info->ports) texts += wire::text(port) + " ";
    return texts;
  }
};

TEST_F(NetworksTest, PortsOfAStoppedSandboxAreOnlyRecorded) {
  make("", {{"127.0.0.1", 8080, 80}});
  ASSERT_TRUE(daemon->networks.change_ports("box", {{"::1", 0, 443}}, {}));
  EXPECT_EQ(published(), "127.0.0.1:8080->80/tcp [::1]:any->443/tcp ");
  ASSERT_TRUE(daemon->networks.change_ports("box", {}, {{"127.0.0.1", 8080, 80}}));
  daemon = world.daemon();
  EXPECT_EQ(published(), "[::1]:any->443/tcp ");
}

TEST_F(NetworksTest, ARunningSandboxShowsThePortsThatWereFound) {
  make("", {{"127.0.0.1", 0, 80}});
  start();
  EXPECT_EQ(published(), "127.0.0.1:40000->80/tcp ");
  ASSERT_TRUE(daemon->networks.change_ports("box", {{"127.0.0.1", 0, 81}}, {}));
  EXPECT_EQ(published(), "127.0.0.1:40000->80/tcp 127.0.0.1:40001->81/tcp ");
  daemon = world.daemon();
  EXPECT_EQ(published(), "127.0.0.1:40000->80/tcp 127.0.0.1:40001->81/tcp ");
  ASSERT_TRUE(daemon->lifecycle.stop("box"));
  EXPECT_EQ(published(), "127.0.0.1:any->80/tcp 127.0.0.1:any->81/tcp ");
}

TEST_F(NetworksTest, APortIsTakenAwayAsItIsShown) {
  make("", {{"127.0.0.1", 0, 80}, {"127.0.0.1", 8080, 80}});
  start();
  ASSERT_TRUE(daemon->networks.change_ports("box", {}, {{"127.0.0.1", 40000, 80}}));
  EXPECT_EQ(published(), "127.0.0.1:8080->80/tcp ");
  EXPECT_EQ(daemon->networks.change_ports("box", {}, {{"127.0.0.1", 40000, 80}}).error().code(), Code::kNotFound);
  ASSERT_TRUE(daemon->lifecycle.stop("box"));
  EXPECT_EQ(published(), "127.0.0.1:8080->80/tcp ");
}

TEST_F(NetworksTest, APortThatTheGateCannotBindIsNotRecorded) {
  make();
  start();
  const auto changed = daemon->networks.change_ports("box", {{"127.0.0.1", 81, 80}}, {});
  ASSERT_FALSE(changed);
  EXPECT_NE(changed.error().what().find("Address already in use"), std::string::npos) << changed.error().what();
  EXPECT_EQ(published(), "");
  EXPECT_TRUE(store::Store(world.home).load("box")->ports.empty());
}

TEST_F(NetworksTest, WhatACreateAsksToPublishAndToNameIsChecked) {
  wire::CreateRequest request = world.request("box");
  request.ports = {{"localhost", 0, 80}};
  EXPECT_EQ(daemon->creation.create(request, {}).error().code(), Code::kInvalid);
  request.ports = {{"127.0.0.1", 80, 80}, {"127.0.0.1", 80, 81}};
  EXPECT_EQ(daemon->creation.create(request, {}).error().code(), Code::kConflict);
  request.ports.assign(257, {"127.0.0.1", 0, 80});
  EXPECT_EQ(daemon->creation.create(request, {}).error().code(), Code::kInvalid);
  request.ports.clear();
  for (const wire::StaticHost& host : std::vector<wire::StaticHost>{{"10.0.0.1", "10.0.0.2"},
                                                                    {"host.docker.internal", "10.0.0.2"},
                                                                    {"a b", "10.0.0.2"},
                                                                    {"db.test", "ten"},
                                                                    {"db.test", "0x7f.1"}}) {
    request.hosts = {host};
    EXPECT_EQ(daemon->creation.create(request, {}).error().code(), Code::kInvalid) << host.name << " " << host.address;
  }
  request.hosts = {{"db.test", "10.0.0.1"}, {"DB.test.", "10.0.0.2"}};
  EXPECT_EQ(daemon->creation.create(request, {}).error().code(), Code::kInvalid);
  request.hosts = {{"DB.test.", "2001:DB8::1"}};
  ASSERT_TRUE(daemon->creation.create(request, {}));
  EXPECT_EQ(daemon->registry.info("box")->hosts.front(), (wire::StaticHost{"db.test", "2001:db8::1"}));
}

TEST_F(NetworksTest, HostsCanBeNamedLaterRunningOrNot) {
  make();
  EXPECT_EQ(daemon->networks.add_hosts("none", {{"db.test", "10.0.0.1"}}).error().code(), Code::kNotFound);
  EXPECT_EQ(daemon->networks.add_hosts("box", {{"localhost", "10.0.0.1"}}).error().code(), Code::kInvalid);
  ASSERT_TRUE(daemon->networks.add_hosts("box", {{"db.test", "10.0.0.1"}, {"a.test", "10.0.0.2"}}));
  EXPECT_FALSE(exists(file("hosts.json")));
  start();
  const auto hosts = daemon->networks.add_hosts("box", {{"DB.test", "10.0.0.3"}});
  ASSERT_TRUE(hosts) << hosts.error().what();
  EXPECT_EQ(*hosts, (Hosts{{"db.test", "10.0.0.3"}, {"a.test", "10.0.0.2"}}));
  EXPECT_EQ(*parse_json(*read_file(file("hosts.json"))), json_of(wire::HostList{*hosts})["hosts"]);
  EXPECT_EQ(store::Store(world.home).load("box")->hosts, *hosts);
}

TEST_F(NetworksTest, ASandboxThatIsNotThereHasNoPorts) {
  EXPECT_EQ(daemon->networks.change_ports("none", {{"127.0.0.1", 0, 80}}, {}).error().code(), Code::kNotFound);
}

}  // namespace
}  // namespace sbx::sandboxes
