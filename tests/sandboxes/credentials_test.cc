// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/credentials.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>

#include <atomic>
#include <thread>

#include "base/json.h"
#include "base/socket.h"
#include "support/daemon_test.h"
#include "wire/credential_file.h"

namespace sbx::sandboxes {
namespace {

// In the place of a sandbox's vault: keeps what it was told last.
class FakeVault {
 public:
  explicit FakeVault(const std::string& path)
      : listener_(std::move(*listen_unix(path))), thread_([this](const std::stop_token& stop) { serve(stop); }) {}

  struct Told {
    std::string name;
    std::string host;
    std::string header;
    std::string value;
    std::int64_t expires_ms;
  };
  std::vector<Told> told() const {
    const std::scoped_lock lock(mutex_);
    return told_;
  }
  const Told* of(const std::string& host) {
    copy_ = told();
    for (const Told& one : copy_)
      if (one.host == host) return &one;
    return nullptr;
  }

 private:
  void serve(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      pollfd ready{listener_.get(), POLLIN, 0};
      if (::poll(&ready, 1, 20) <= 0) continue;
      const auto connection = accept_unix(listener_);
      const auto message = receive_message(*connection);
      struct stat info {};
      if (!message || !*message || (*message)->fds.empty() || ::fstat((*message)->fds[0].get(), &info) != 0) continue;
      std::string bytes(static_cast<std::size_t>(info.st_size), 0);
      if (::pread((*message)->fds[0].get(), bytes.data(), bytes.size(), 0) < 0) continue;
      const auto credentials = wire::read_credential_file(bytes);
      {
        const std::scoped_lock lock(mutex_);
        told_.clear();
        for (const auto& one : *credentials)
          told_.push_back({std::string(one.name), std::string(one.hosts.front()), std::string(one.header),
                           std::string(one.value), one.expires_ms});
      }
      (void)send_message(*connection, R"({"ok":true})");
    }
  }

  Fd listener_;
  mutable std::mutex mutex_;
  std::vector<Told> told_;  // guarded by mutex_
  std::vector<Told> copy_;
  std::jthread thread_;
};

class CredentialsTest : public sbx::testing::DaemonTest {
 protected:
  void start() {
    make("box");
    vault = std::make_unique<FakeVault>(world.home.machine("box") + "/vault.sock");
    const auto started = daemon->lifecycle.start("box");
    ASSERT_TRUE(started) << started.error().what();
  }
  void add(const std::string& name, const std::string& value, bool update = false) {
    const auto added = daemon->credentials.change([&](secrets::SecretStore& store) {
      return store.add({name, value, update}, "");
    });
    ASSERT_TRUE(added) << added.error().what();
  }
  wire::Environment variables(wire::Environment environment = {}) {
    const auto sandbox = daemon->registry.find("box");
    (void)daemon->credentials.add_placeholders(**sandbox, environment);
    return environment;
  }

  std::unique_ptr<FakeVault> vault;
};

constexpr const char* kAnthropic = "api.anthropic.com";

TEST_F(CredentialsTest, AStartTellsTheVaultWhatThereIs) {
  add("anthropic", "sk-1");
  start();
  ASSERT_NE(vault->of(kAnthropic), nullptr);
  EXPECT_EQ(vault->of(kAnthropic)->value, "sk-1");
  EXPECT_EQ(vault->of(kAnthropic)->header, "x-api-key");
  EXPECT_GT(vault->of(kAnthropic)->expires_ms, microseconds_of(now()) / 1000);
}

TEST_F(CredentialsTest, EachChangeHoldsInARunningSandboxAtOnce) {
  start();
  EXPECT_EQ(vault->of(kAnthropic), nullptr);
  add("anthropic", "sk-1");
  EXPECT_EQ(vault->of(kAnthropic)->value, "sk-1");
  add("anthropic", "sk-2", true);
  EXPECT_EQ(vault->of(kAnthropic)->value, "sk-2");
  ASSERT_TRUE(daemon->credentials.bind({"anthropic", "", {"a.test"}, "X-Key", "", "A_KEY", "box", 0}));
  EXPECT_EQ(vault->of("a.test")->header, "x-key");
  ASSERT_TRUE(daemon->credentials.change([](secrets::SecretStore& store) { return store.unbind("anthropic"); }));
  EXPECT_EQ(vault->of("a.test"), nullptr);
  ASSERT_TRUE(daemon->credentials.change([](secrets::SecretStore& store) { return store.remove("anthropic"); }));
  EXPECT_TRUE(vault->told().empty());
}

TEST_F(CredentialsTest, ANewDaemonTellsTheVaultAgain) {
  add("anthropic", "sk-1");
  start();
  daemon.reset();
  vault = std::make_unique<FakeVault>(world.home.machine("box") + "/vault.sock");
  daemon = world.daemon();
  ASSERT_NE(vault->of(kAnthropic), nullptr);
  EXPECT_EQ(vault->of(kAnthropic)->value, "sk-1");
}

TEST_F(CredentialsTest, ARevokedLeaseIsOverInTheVaultUntilTheNextStart) {
  add("anthropic", "sk-1");
  start();
  const std::string lease = daemon->credentials.of("box")->credentials.front().lease_id;
  ASSERT_TRUE(daemon->credentials.change([&](secrets::SecretStore& store) { return store.revoke(lease); }));
  EXPECT_EQ(vault->of(kAnthropic)->value, "");
  EXPECT_EQ(vault->of(kAnthropic)->expires_ms, 1);
  EXPECT_NE(daemon->credentials.of("box")->credentials.front().state, "ready");
  ASSERT_TRUE(daemon->lifecycle.stop("box"));
  vault = std::make_unique<FakeVault>(world.home.machine("box") + "/vault.sock");
  ASSERT_TRUE(daemon->lifecycle.start("box"));
  EXPECT_EQ(vault->of(kAnthropic)->value, "sk-1");
}

TEST_F(CredentialsTest, ABindingThatIsOverIsTakenAway) {
  std::atomic<std::int64_t> later = 0;
  world.clock = [&] { return now() + std::chrono::seconds(later.load()); };
  daemon = world.daemon();
  add("mine", "v");
  start();
  ASSERT_TRUE(daemon->credentials.bind({"mine", "", {"a.test"}, "X-Key", "", "", "", 3600}));
  daemon->credentials.watch();
  EXPECT_NE(vault->of("a.test"), nullptr);
  later = 3601;
  daemon->credentials.look_again();
  while (vault->of("a.test") != nullptr) std::this_thread::yield();
}

TEST_F(CredentialsTest, ProgramsGetPlaceholdersUnlessTheUserSaysOtherwise) {
  add("github", "ghp-real");
  add("mine", "v");
  start();
  ASSERT_TRUE(daemon->credentials.bind({"mine", "", {"a.test"}, "X-Key", "", "A_KEY", "", 0}));
  const auto given = variables({{"GH_TOKEN", "the user's own"}});
  ASSERT_EQ(given.size(), 3u);
  EXPECT_EQ(given[0].second, "the user's own");
  EXPECT_TRUE(has_variable(given, "GITHUB_TOKEN"));
  for (const auto& [name, value] : given) {
    EXPECT_EQ(value.find("real"), std::string::npos);
    EXPECT_EQ(value.starts_with("sbx-cs-"), name == "A_KEY") << name;
    EXPECT_EQ(value == "proxy-managed", name == "GITHUB_TOKEN") << name;
  }
}

TEST_F(CredentialsTest, CodexGetsAFileOnceForEachRun) {
  add("codex_auth_json", R"({"tokens":{"access_token":"real","account_id":"a"}})");
  start();
  const auto sandbox = daemon->registry.find("box");
  wire::Environment none;
  const auto files = daemon->credentials.add_placeholders(**sandbox, none);
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].path, ".codex/auth.json");
  EXPECT_EQ(files[0].content.find("\"real\""), std::string::npos);
  EXPECT_TRUE(daemon->credentials.add_placeholders(**sandbox, none).empty());
}

TEST_F(CredentialsTest, ASecretThatNoHeaderCanCarryIsRefusedAndSaysWhy) {
  add("anthropic", "two\nlines");
  start();
  EXPECT_EQ(vault->of(kAnthropic)->expires_ms, 1);
  EXPECT_NE(daemon->credentials.of("box")->credentials.front().state.find("several lines"), std::string::npos);
}

TEST_F(CredentialsTest, ASandboxOfTheSameNameDoesNotInheritABinding) {
  add("mine", "v");
  make("box");
  ASSERT_TRUE(daemon->credentials.bind({"mine", "", {"a.test"}, "X-Key", "", "", "box", 0}));
  EXPECT_EQ(daemon->credentials.of("box")->credentials.size(), 1u);
  ASSERT_TRUE(daemon->removal.remove("box"));
  make("box");
  EXPECT_TRUE(daemon->credentials.of("box")->credentials.empty());
}

TEST_F(CredentialsTest, TheCheckSaysWhichOneARequestGets) {
  add("anthropic", "sk-1");
  make("box");
  EXPECT_EQ(daemon->credentials.for_host("box", "api.anthropic.com:443"), "anthropic (secret anthropic)");
  EXPECT_EQ(daemon->credentials.for_host("box", "example.com:443"), "");
}

}  // namespace
}  // namespace sbx::sandboxes
