// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/credentials.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "base/file.h"
#include "base/json.h"
#include "base/socket.h"
#include "support/daemon_test.h"
#include "support/temporary_directory.h"
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

std::string login_until(WallTime time) {
  return dump(Json{
      {"claudeAiOauth", {{"accessToken", "a1"}, {"refreshToken", "r1"}, {"expiresAt", microseconds_of(time) / 1000}}}});
}

TEST_F(CredentialsTest, ARunningSandboxGetsTheNextTokenOfALoginBeforeTheOldOneExpires) {
  world.token_endpoints = [](const auto&, const auto& record) {
    EXPECT_EQ(record.refresh_token, "r1");
    return secrets::TokenAnswer{200, true, R"({"access_token":"a2","refresh_token":"r2","expires_in":3600})", ""};
  };
  daemon = world.daemon();
  start();
  add("claude", login_until(now() + std::chrono::minutes(5)));
  EXPECT_EQ(vault->of(kAnthropic)->value, "a1");
  daemon->credentials.watch();
  while (vault->of(kAnthropic)->value != "a2") std::this_thread::yield();
  daemon->credentials.stop_watching();
}

TEST_F(CredentialsTest, ATokenThatHasExpiredIsReplacedBeforeASandboxStartsOrIsRefused) {
  std::atomic<bool> works = true;
  world.token_endpoints = [&](const auto&, const auto&) {
    return works ? secrets::TokenAnswer{200, true, R"({"access_token":"a2","expires_in":3600})", ""}
                 : secrets::TokenAnswer{0, false, "", "no network"};
  };
  daemon = world.daemon();
  add("claude", login_until(now() - std::chrono::minutes(5)));
  start();
  EXPECT_EQ(vault->of(kAnthropic)->value, "a2");
  works = false;
  add("claude", login_until(now() - std::chrono::minutes(5)), true);
  EXPECT_LT(vault->of(kAnthropic)->expires_ms, microseconds_of(now()) / 1000);
  (void)variables();
  EXPECT_LT(vault->of(kAnthropic)->expires_ms, microseconds_of(now()) / 1000);
  EXPECT_EQ(daemon->credentials.store().status().problems, std::vector<std::string>{"claude: no network"});
}

TEST_F(CredentialsTest, RevokingAllTakesWhatTheDaemonWasStartedWith) {
  world.environment_secrets["ANTHROPIC_API_KEY"] =
      std::make_shared<const secrets::Secret>(secrets::Secret::copy_of("sk-of-the-daemon"));
  daemon = world.daemon();
  start();
  EXPECT_EQ(vault->of(kAnthropic)->value, "sk-of-the-daemon");
  ASSERT_TRUE(daemon->credentials.revoke_all());
  EXPECT_EQ(vault->of(kAnthropic), nullptr);
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

// Sandboxes that use the logins of docker, whose helper is ours: it answers at once, or, once there is a pipe, when
// that is written to.
class RegistryLoginsTest : public CredentialsTest {
 protected:
  RegistryLoginsTest() {
    EXPECT_TRUE(write_file(directory_ / "config.json", R"({"credHelpers":{"r.test":"waits"}})"));
    EXPECT_TRUE(write_file(directory_ / "docker-credential-waits",
                           "#!/bin/sh\necho asked >>'" + asked_ + "'\n[ ! -p '" + pipe_ + "' ] || read -r word <'" +
                               pipe_ + "'\necho '{\"Username\":\"u\",\"Secret\":\"p\"}'\n"));
    EXPECT_EQ(::chmod((directory_ / "docker-credential-waits").c_str(), 0755), 0);
    ::setenv("DOCKER_CONFIG", directory_.path().c_str(), 1);
    ::setenv("NPM_CONFIG_USERCONFIG", (directory_ / "npmrc").c_str(), 1);
    ::setenv("PATH", (directory_.path() + ":" + path_).c_str(), 1);
  }
  ~RegistryLoginsTest() override {
    for (const char* name : {"DOCKER_CONFIG", "NPM_CONFIG_USERCONFIG"}) ::unsetenv(name);
    ::setenv("PATH", path_.c_str(), 1);
  }

  std::unique_ptr<FakeVault> start_with_logins(const std::string& name) {
    auto request = world.request(name);
    request.registry_auth = true;
    EXPECT_TRUE(daemon->creation.create(request, {}));
    auto its_vault = std::make_unique<FakeVault>(world.home.machine(name) + "/vault.sock");
    EXPECT_TRUE(daemon->lifecycle.start(name));
    EXPECT_NE(its_vault->of("r.test"), nullptr);
    return its_vault;
  }
  std::size_t times_asked() const {
    const auto lines = read_file(asked_);
    return lines ? static_cast<std::size_t>(std::ranges::count(*lines, '\n')) : 0;
  }
  void let_helper_wait() { ASSERT_EQ(::mkfifo(pipe_.c_str(), 0600), 0); }
  void let_helper_go_on() {
    const auto pipe = open_path(pipe_, O_RDWR);  // so that it opens whether or not the helper reads already
    ASSERT_TRUE(pipe && write_all(*pipe, "on\n"));
    while (!is_done_) std::this_thread::yield();
  }

  const sbx::testing::TemporaryDirectory directory_;
  const std::string path_ = ::getenv("PATH");
  const std::string asked_ = directory_ / "asked";
  const std::string pipe_ = directory_ / "pipe";
  std::atomic<bool> is_done_ = false;
};

TEST_F(RegistryLoginsTest, AreReadOnceForAllSandboxesThatUseThem) {
  const auto first = start_with_logins("first");
  const auto second = start_with_logins("second");
  const std::size_t before = times_asked();
  add("anthropic", "sk-1");
  EXPECT_EQ(times_asked(), before + 1);
  for (FakeVault* one : {first.get(), second.get()}) {
    EXPECT_NE(one->of(kAnthropic), nullptr);
    EXPECT_NE(one->of("r.test"), nullptr);
  }
}

TEST_F(RegistryLoginsTest, AHelperThatWaitsKeepsNoSecretInAVault) {
  add("anthropic", "sk-1");
  const auto first = start_with_logins("first");
  start();
  const std::size_t before = times_asked();
  let_helper_wait();
  std::jthread removal([&] {
    EXPECT_TRUE(daemon->credentials.change([](secrets::SecretStore& store) { return store.remove("anthropic"); }));
    is_done_ = true;
  });
  while (times_asked() == before) std::this_thread::yield();
  EXPECT_EQ(vault->of(kAnthropic), nullptr);
  EXPECT_EQ(first->of(kAnthropic), nullptr);
  EXPECT_NE(first->of("r.test"), nullptr) << "it keeps those that are known";
  let_helper_go_on();
}

}  // namespace
}  // namespace sbx::sandboxes
