// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/docker_sockets.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/socket.h"
#include "support/daemon_test.h"

namespace sbx::sandboxes {
namespace {

class DockerSocketsTest : public sbx::testing::DaemonTest {
 protected:
  void make_with(wire::DockerMode mode, const std::string& manner = "") {
    wire::CreateRequest request = world.request("box", manner);
    request.docker = mode;
    const auto created = daemon->creation.create(request, {});
    ASSERT_TRUE(created) << created.error().what();
  }
  std::string socket() { return (*daemon->registry.find("box"))->directory().docker_socket(); }
  // What a client is told that says nothing itself.
  std::string answer() {
    const auto client = connect_unix(socket());
    return client ? read_all(*client, 4096).value_or("an error") : "no connection";
  }
};

TEST_F(DockerSocketsTest, AConnectionStartsTheSandboxAndIsItsDaemons) {
  make_with(wire::DockerMode::kOnDemand);
  struct stat info {};
  ASSERT_EQ(::stat(socket().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0600u);
  EXPECT_EQ(status("box"), wire::Status::kStopped);
  EXPECT_EQ(answer(), "from the guest");
  EXPECT_EQ(status("box"), wire::Status::kRunning);
}

TEST_F(DockerSocketsTest, ASandboxWithoutADaemonHasNoSocket) {
  make_with(wire::DockerMode::kOff);
  EXPECT_FALSE(exists(socket()));
  EXPECT_EQ(answer(), "no connection");
}

TEST_F(DockerSocketsTest, ARemovedSandboxLeavesNone) {
  make_with(wire::DockerMode::kOn);
  const std::string path = socket();
  EXPECT_TRUE(exists(path));
  ASSERT_TRUE(daemon->removal.remove("box"));
  EXPECT_FALSE(exists(path));
}

TEST_F(DockerSocketsTest, ANewModeHoldsForAStoppedSandbox) {
  make_with(wire::DockerMode::kOff);
  wire::CreateRequest request = world.request("box");
  request.reuse = true;
  request.docker = wire::DockerMode::kOnDemand;
  ASSERT_TRUE(daemon->creation.create(request, {}));
  EXPECT_EQ(answer(), "from the guest");
  request.docker = wire::DockerMode::kOff;
  const auto refused = daemon->creation.create(request, {});
  ASSERT_FALSE(refused) << "it runs";
  EXPECT_NE(refused.error().what().find("--docker off"), std::string::npos) << refused.error().what();
}

TEST_F(DockerSocketsTest, AShimOfAnOlderVersionIsAnAnswerOfItsOwn) {
  make_with(wire::DockerMode::kOnDemand, "old");
  const std::string told = answer();
  EXPECT_TRUE(told.starts_with("HTTP/1.1 503 ")) << told;
  EXPECT_NE(told.find("restart it to use docker.sock"), std::string::npos) << told;
}

TEST_F(DockerSocketsTest, AnEndOfTheDaemonDoesNotWaitForASandboxThatIsBeingWorkedOn) {
  make_with(wire::DockerMode::kOnDemand);
  {
    const auto sandbox = daemon->registry.find("box").value();
    const std::scoped_lock save(sandbox->operation());
    const auto client = connect_unix(socket());
    while (sandbox->used_at().empty()) std::this_thread::yield();
    EXPECT_FALSE(daemon->docker_sockets.stop(std::chrono::milliseconds(1)));
  }
  EXPECT_TRUE(daemon->docker_sockets.stop(std::chrono::hours(1)));
}

TEST_F(DockerSocketsTest, TheNextDaemonListensAgain) {
  make_with(wire::DockerMode::kOnDemand);
  daemon.reset();
  EXPECT_FALSE(connect_unix(world.home.machine("box") + "/docker.sock"));
  daemon = world.daemon();
  ASSERT_TRUE(daemon->recovery.recover());
  EXPECT_EQ(answer(), "from the guest");
}

}  // namespace
}  // namespace sbx::sandboxes
