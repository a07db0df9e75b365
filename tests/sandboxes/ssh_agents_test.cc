// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/ssh_agents.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <barrier>
#include <mutex>
#include <thread>

#include "base/socket.h"
#include "base/value.h"
#include "support/daemon_test.h"
#include "wire/signer_control.h"

namespace sbx::sandboxes {
namespace {

// In the place of a sandbox's signer: keeps the line that it was told of last.
class FakeSigner {
 public:
  explicit FakeSigner(const std::string& path)
      : listener_(std::move(*listen_unix(path))), thread_([this](const std::stop_token& stop) { serve(stop); }) {}

  int times_told() const { return times_told_; }
  // Whether a use on the line is noted.
  bool notes() {
    const std::scoped_lock lock(mutex_);
    const std::string use = text_of(wire::SshUse{7, "SHA256:k", "git", "host", "SHA256:h"});
    if (::send(line_.get(), use.data(), use.size(), MSG_NOSIGNAL) < 0) return false;
    std::array<char, 1024> answer;
    return ::recv(line_.get(), answer.data(), answer.size(), 0) > 0;
  }

 private:
  void serve(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      pollfd ready{listener_.get(), POLLIN, 0};
      if (::poll(&ready, 1, 20) <= 0) continue;
      const auto connection = accept_unix(listener_);
      auto message = receive_message(*connection);
      if (!message || !*message || (*message)->fds.size() != 2) continue;
      {
        const std::scoped_lock lock(mutex_);
        line_ = std::move((*message)->fds[1]);
      }
      ++times_told_;
      (void)send_message(*connection, R"({"ok":true})");
    }
  }

  Fd listener_;
  std::atomic<int> times_told_ = 0;
  std::mutex mutex_;
  Fd line_;  // guarded by mutex_
  std::jthread thread_;
};

class SshAgentsTest : public sbx::testing::DaemonTest {};

TEST_F(SshAgentsTest, ManyThatFollowAtOnceTellTheSignerOnceAndKeepItsLine) {
  const std::string path = world.root + "/agent";
  const Fd agent = *listen_unix(path);
  auto request = world.request("box");
  request.ssh_agent = path;
  ASSERT_TRUE(daemon->creation.create(request, {}));
  ASSERT_TRUE(daemon->lifecycle.start("box"));
  const auto sandbox = *daemon->registry.find("box");
  FakeSigner signer(sandbox->directory().signer_socket());
  secrets::SecretStore store(world.root + "/other-secrets", now);
  SshAgents agents(store);
  {
    constexpr int kMany = 16;
    std::barrier together(kMany);
    std::vector<std::jthread> followers;
    for (int i = 0; i < kMany; ++i)
      followers.emplace_back([&] {
        together.arrive_and_wait();
        agents.follow(*sandbox);
      });
  }
  EXPECT_EQ(signer.times_told(), 1);
  EXPECT_TRUE(signer.notes());
  EXPECT_EQ(store.audit(0)->entries.size(), 1u);
}

}  // namespace
}  // namespace sbx::sandboxes
