// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sshagent/host_signature.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <optional>
#include <thread>

#include "base/child.h"
#include "base/socket.h"
#include "sshagent/agent_message.h"
#include "sshagent/message_reader.h"
#include "sshagent/ssh_strings.h"
#include "support/temporary_directory.h"

// Signatures of the real ssh-agent, over bytes of ours.
namespace sbx::sshagent {
namespace {

class HostSignatureTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto agent = Child::start({.argv = {"ssh-agent", "-D", "-a", socket()}});
    ASSERT_TRUE(agent) << agent.error().what();
    agent_.emplace(std::move(*agent));
    while (!connect_unix(socket())) std::this_thread::yield();
    connection_ = *connect_unix(socket());
  }

  std::string socket() const { return directory_ / "agent"; }

  std::string ask(std::string_view message) {
    EXPECT_TRUE(send_all(connection_, framed(message), "ask the agent"));
    MessageReader reader(1u << 20);
    std::array<char, 4096> buffer;
    for (;;) {
      if (auto answer = reader.next()) return *answer;
      const ssize_t size = ::recv(connection_.get(), buffer.data(), buffer.size(), 0);
      if (size <= 0) return {};
      reader.add({buffer.data(), static_cast<std::size_t>(size)});
    }
  }

  // A new key of this kind in the agent; its public half.
  std::string make_key(const std::vector<std::string>& kind) {
    const std::string file = directory_ / ("key" + std::to_string(++keys_));
    std::vector<std::string> argv{"ssh-keygen", "-q", "-N", "", "-f", file, "-t"};
    argv.insert(argv.end(), kind.begin(), kind.end());
    EXPECT_EQ(run({.argv = argv})->exit.code, 0);
    EXPECT_EQ(run({.argv = {"env", "SSH_AUTH_SOCK=" + socket(), "ssh-add", "-q", file}})->exit.code, 0);
    return parse_keys(ask("\x0b"))->back();
  }

  std::string signature(std::string_view key, std::string_view bytes, std::uint32_t flags) {
    SshWriter into;
    into.byte(13);
    into.text(key);
    into.text(bytes);
    into.number(flags);
    return parse_signature(ask(into.take())).value_or("");
  }

  sbx::testing::TemporaryDirectory directory_;
  std::optional<Child> agent_;
  Fd connection_;
  int keys_ = 0;
};

TEST_F(HostSignatureTest, OfEachKindOfKeyIsTold) {
  struct Case {
    std::vector<std::string> kind;
    std::uint32_t flags;
  };
  const Case cases[] = {
      {{"ed25519"}, 0},           {{"ecdsa", "-b", "256"}, 0}, {{"ecdsa", "-b", "384"}, 0}, {{"ecdsa", "-b", "521"}, 0},
      {{"rsa", "-b", "2048"}, 2}, {{"rsa", "-b", "2048"}, 4}};
  std::string before;
  for (const auto& [kind, flags] : cases) {
    const std::string key = make_key(kind);
    const std::string made = signature(key, "session", flags);
    ASSERT_FALSE(made.empty()) << kind[0];
    EXPECT_TRUE(has_signed(key, made, "session")) << kind[0];
    EXPECT_FALSE(has_signed(key, made, "another session")) << kind[0];
    EXPECT_FALSE(has_signed(before, made, "session")) << kind[0];
    for (const std::size_t at : {made.size() - 1, made.size() / 2, std::size_t{5}}) {
      std::string changed = made;
      changed[at] = static_cast<char>(changed[at] ^ 1);
      EXPECT_FALSE(has_signed(key, changed, "session")) << kind[0] << " " << at;
    }
    EXPECT_FALSE(has_signed(key.substr(0, key.size() - 1), made, "session"));
    EXPECT_FALSE(has_signed(key, made.substr(0, made.size() - 1), "session"));
    before = key;
  }
}

TEST_F(HostSignatureTest, OfSha1CountsForNothing) {
  const std::string key = make_key({"rsa", "-b", "2048"});
  EXPECT_FALSE(has_signed(key, signature(key, "session", 0), "session"));
}

TEST(HostSignature, OfNothingIsNone) {
  EXPECT_FALSE(has_signed("", "", ""));
  EXPECT_FALSE(has_signed("nonsense", "nonsense", "session"));
}

}  // namespace
}  // namespace sbx::sshagent
