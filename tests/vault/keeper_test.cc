// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/keeper.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <fstream>

#include "base/socket.h"
#include "base/value.h"
#include "gate/line.h"
#include "support/run_loop.h"
#include "support/temporary_directory.h"
#include "vault/bindings.h"
#include "vault/vault.h"
#include "wire/credential_file.h"

// A keeper in a process of its own, as a shim starts it, with the test as its shim, its gate and its daemon.
namespace sbx::vault {
namespace {

using sbx::testing::run_until;

class KeeperTest : public ::testing::Test {
 protected:
  void SetUp() override {
    SocketPair gate = *gate::make_line();
    gate_ = std::move(gate.theirs);
    auto started = start({state_.path(), ::geteuid() == 0 ? 3'900'000'001u : 0u}, std::move(gate.ours));
    ASSERT_TRUE(started) << started.error().what();
    pid_ = started->pid;
    keeper_ = std::make_unique<gate::Line>(
        *loop_, std::move(started->line),
        [this](std::string_view bytes, Fd line) {
          if (is_new_vault(bytes)) met(std::move(line));
        },
        [] {});
  }
  void TearDown() override {
    vault_.reset();
    keeper_.reset();
    gate_.reset();
    int status = 0;
    EXPECT_EQ(::waitpid(pid_, &status, 0), pid_);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }

  // The shim's part: it takes what is bound and says so.
  void met(Fd line) {
    ++vaults_;
    loop_->discard(std::move(vault_));
    vault_ = std::make_unique<gate::Line>(
        *loop_, std::move(line),
        [this](std::string_view bytes, const Fd&) {
          const auto message = decode_from_vault(bytes);
          ASSERT_TRUE(message);
          const auto& part = std::get<BindingsPart>(*message);
          bindings_ = *decode_bindings(part.text);
          ++tellings_;
          if (holds_) vault_->send(encode(Held{part.number}));
        },
        [] {});
  }

  // The daemon's: the answer.
  Json set(const Fd& file) {
    const auto socket = connect_unix(state_ / "vault.sock");
    EXPECT_TRUE(socket && send_message(*socket, R"({"op":"credentials"})", {file.get()}));
    pollfd state{socket->get(), POLLIN, 0};
    EXPECT_TRUE(run_until(*loop_, [&] { return ::poll(&state, 1, 0) == 1; }));
    const auto message = receive_message(*socket);
    return message && *message ? *parse_json((*message)->body) : Json();
  }
  Json set(const std::vector<wire::Credential>& all) { return set(*wire::make_credential_file(all)); }

  pid_t vault_pid() const {
    std::ifstream children("/proc/" + std::to_string(pid_) + "/task/" + std::to_string(pid_) + "/children");
    pid_t pid = -1;
    children >> pid;
    return children ? pid : -1;
  }

  static wire::Credential key(const std::string& host) {
    return {"key", {host}, "x-key", "", "", {"stand-in"}, "v", 0};
  }

  sbx::testing::TemporaryDirectory state_;
  std::unique_ptr<loop::Loop> loop_ = *loop::Loop::create();
  Fd gate_;
  pid_t pid_ = -1;
  std::unique_ptr<gate::Line> keeper_;
  std::unique_ptr<gate::Line> vault_;
  int vaults_ = 0;
  int tellings_ = 0;
  bool holds_ = true;
  Bindings bindings_;
};

const Json kDone = {{"ok", true}};

TEST_F(KeeperTest, HasNoVaultBeforeThereIsSomethingToKeep) {
  EXPECT_EQ(vault_pid(), -1);
  EXPECT_EQ(set({key("api.test")}), kDone);
  EXPECT_NE(vault_pid(), -1);
  EXPECT_EQ(bindings_.hosts, (std::set<std::string, std::less<>>{"api.test"}));
}

TEST_F(KeeperTest, AnswersWhenTheShimKnowsAndKeepsWhatItWasToldInAnyCase) {
  holds_ = false;
  EXPECT_TRUE(set({key("api.test")}).contains("error"));  // after its time
  holds_ = true;
  ASSERT_EQ(::kill(vault_pid(), SIGKILL), 0);
  bindings_ = {};
  EXPECT_TRUE(run_until(*loop_, [&] { return vaults_ == 2 && bindings_.binds("api.test"); }));
  EXPECT_EQ(set({key("git.test")}), kDone);
  EXPECT_TRUE(bindings_.binds("git.test"));
}

TEST_F(KeeperTest, AVaultThatIsKilledIsFollowedByOneWithTheSameCredentials) {
  ASSERT_EQ(set({key("api.test")}), kDone);
  for (int round = 1; round <= 3; ++round) {
    bindings_ = {};
    ASSERT_EQ(::kill(vault_pid(), SIGKILL), 0);
    EXPECT_TRUE(run_until(*loop_, [&] { return vaults_ == round + 1 && bindings_.binds("api.test"); }));
  }
}

TEST_F(KeeperTest, CredentialsThatMakeNoSenseChangeNothing) {
  ASSERT_EQ(set({key("api.test")}), kDone);
  const Fd unsealed(::memfd_create("x", MFD_CLOEXEC));
  ASSERT_TRUE(write_all(unsealed, "nonsense"));
  EXPECT_TRUE(set(unsealed).contains("error"));
  const auto pipe = make_pipe();
  EXPECT_TRUE(set(pipe->read).contains("error"));
  ASSERT_EQ(::kill(vault_pid(), SIGKILL), 0);
  bindings_ = {};
  EXPECT_TRUE(run_until(*loop_, [&] { return vaults_ == 2 && bindings_.binds("api.test"); }));
}

TEST_F(KeeperTest, EndsWithTheShimAndTakesTheVaultWithIt) {
  ASSERT_EQ(set({key("api.test")}), kDone);
  const pid_t vault = vault_pid();
  keeper_.reset();
  EXPECT_TRUE(run_until(*loop_, [vault] { return ::kill(vault, 0) != 0; }));
}

}  // namespace
}  // namespace sbx::vault
