// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sshagent/signer.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <deque>

#include "base/file.h"
#include "base/socket.h"
#include "base/value.h"
#include "gate/line.h"
#include "gate/ssh_question.h"
#include "sshagent/fingerprint.h"
#include "sshagent/line_message.h"
#include "sshagent/message_reader.h"
#include "sshagent/process.h"
#include "support/run_loop.h"
#include "support/temporary_directory.h"
#include "wire/signer_control.h"

// A signer in a process of its own, as a shim starts it, with the test as its shim, its gate, its daemon and the agent.
namespace sbx::sshagent {
namespace {

using sbx::testing::run_until;

const SignAt kLogin{{"a public key", 0, {std::string(32, 's'), "git", "ssh-ed25519", ""}}, "github.com", "host key"};

class SignerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    SocketPair gate = *gate::make_line();
    gate_ = std::make_unique<gate::Line>(
        *loop_, std::move(gate.theirs), [this](std::string_view bytes, const Fd&) { asked_gate(bytes); }, [] {});
    auto started = start({state_.path(), ::geteuid() == 0 ? 3'900'000'002u : 0u}, std::move(gate.ours));
    ASSERT_TRUE(started) << started.error().what();
    pid_ = started->pid;
    shim_ = std::make_unique<gate::Line>(
        *loop_, std::move(started->line),
        [this](std::string_view bytes, const Fd&) { answers_.push_back(std::move(*decode_answer(bytes))); },
        [this] { has_ended_ = true; });
  }
  void TearDown() override {
    shim_.reset();
    gate_.reset();
    int status = 0;
    EXPECT_EQ(::waitpid(pid_, &status, 0), pid_);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }

  void asked_gate(std::string_view bytes) {
    ++gate_questions_;
    if (gate_answers_) gate_->send(encode(gate::SshAnswer{gate::decode_ssh_question(bytes)->number, hosts_}));
  }

  // The daemon's part: hands over an agent and a line.
  void give_agent() {
    SocketPair agent = *make_socket_pair();
    SocketPair line = *gate::make_line();
    const auto socket = connect_unix(state_ / "signer.sock");
    ASSERT_TRUE(socket && send_message(*socket, R"({"op":"ssh_agent"})", {agent.theirs.get(), line.theirs.get()}));
    agent_ = std::move(agent.ours);
    log_ = std::make_unique<gate::Line>(
        *loop_, std::move(line.ours), [this](std::string_view bytes, const Fd&) { told(bytes); },
        [this] { log_has_ended_ = true; });
    const auto answer = receive_message(*socket);
    ASSERT_TRUE(answer && *answer);
    EXPECT_EQ((*answer)->body, R"({"ok":true})");
  }

  void told(std::string_view bytes) {
    uses_.push_back(*value_in<wire::SshUse>(bytes, "use"));
    if (log_writes_) log_->send(text_of(wire::SshUseNoted{uses_.back().number}));
  }

  void ask(Ticket ticket, const decltype(Ask::request)& request) { shim_->send(encode(Ask{ticket, request})); }
  Answer next_answer() {
    EXPECT_TRUE(run_until(*loop_, [this] { return !answers_.empty(); }));
    if (answers_.empty()) return {0, Refused{}};
    Answer answer = std::move(answers_.front());
    answers_.pop_front();
    return answer;
  }
  bool refused() { return std::holds_alternative<Refused>(next_answer().outcome); }

  // What the agent hears next.
  std::string heard() {
    pollfd state{agent_.get(), POLLIN, 0};
    EXPECT_TRUE(run_until(*loop_, [&] { return ::poll(&state, 1, 0) == 1; }));
    std::array<char, 4096> buffer;
    const ssize_t size = ::recv(agent_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    return {buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
  }
  bool hears_nothing() {
    pollfd state{agent_.get(), POLLIN, 0};
    return ::poll(&state, 1, 0) == 0;
  }
  void agent_says(std::string_view message) { ASSERT_TRUE(send_all(agent_, framed(message), "answer")); }

  sbx::testing::TemporaryDirectory state_;
  std::unique_ptr<loop::Loop> loop_ = *loop::Loop::create();
  pid_t pid_ = -1;
  std::unique_ptr<gate::Line> shim_;
  std::unique_ptr<gate::Line> gate_;
  std::unique_ptr<gate::Line> log_;
  Fd agent_;
  std::deque<Answer> answers_;
  std::vector<std::string> hosts_ = {"github.com"};
  std::vector<wire::SshUse> uses_;
  int gate_questions_ = 0;
  bool gate_answers_ = true;
  bool log_writes_ = true;
  bool log_has_ended_ = false;
  bool has_ended_ = false;
};

TEST_F(SignerTest, RefusesAllWithoutAnAgent) {
  ask(1, ListKeys{});
  EXPECT_TRUE(refused());
  ask(2, kLogin);
  EXPECT_TRUE(refused());
  EXPECT_EQ(gate_questions_, 0);
}

TEST_F(SignerTest, ListsKeys) {
  give_agent();
  ask(1, ListKeys{});
  EXPECT_EQ(heard(), framed("\x0b"));
  agent_says(encode_keys({"one", "two"}));
  EXPECT_EQ(std::get<Keys>(next_answer().outcome).keys, (std::vector<std::string>{"one", "two"}));
  EXPECT_TRUE(uses_.empty());
}

TEST_F(SignerTest, ALoginIsSignedWhenItIsInTheLog) {
  give_agent();
  log_writes_ = false;
  ask(1, kLogin);
  EXPECT_TRUE(run_until(*loop_, [this] { return !uses_.empty(); }));
  EXPECT_TRUE(hears_nothing());
  EXPECT_EQ(uses_[0].key, fingerprint("a public key"));
  EXPECT_EQ(uses_[0].user, "git");
  EXPECT_EQ(uses_[0].host, "github.com");
  EXPECT_EQ(uses_[0].host_key, fingerprint("host key"));
  log_->send(text_of(wire::SshUseNoted{uses_[0].number}));
  EXPECT_EQ(heard(), framed(encode(kLogin.sign)));
  agent_says(encode_signature("signed"));
  EXPECT_EQ(std::get<Signature>(next_answer().outcome).signature, "signed");
}

TEST_F(SignerTest, NothingIsSignedWithoutAnOpenConnection) {
  give_agent();
  hosts_.clear();
  ask(1, kLogin);
  EXPECT_TRUE(refused());
  EXPECT_TRUE(uses_.empty());
  EXPECT_TRUE(hears_nothing());
}

TEST_F(SignerTest, NorForAHostThatItIsNotOpenTo) {
  give_agent();
  hosts_ = {"example.com", "gist.github.com"};
  ask(1, kLogin);
  EXPECT_TRUE(refused());
  EXPECT_TRUE(uses_.empty());
  EXPECT_TRUE(hears_nothing());
}

TEST_F(SignerTest, NothingIsSignedThatTheDaemonCannotNote) {
  give_agent();
  log_writes_ = false;
  ask(1, kLogin);
  EXPECT_TRUE(run_until(*loop_, [this] { return !uses_.empty(); }));
  log_.reset();
  EXPECT_TRUE(refused());
  ask(2, kLogin);
  EXPECT_TRUE(refused()) << "until it has another";
  give_agent();
  log_writes_ = true;
  ask(3, kLogin);
  EXPECT_EQ(heard(), framed(encode(kLogin.sign)));
}

TEST_F(SignerTest, AUseThatWasNotToldIsNotSigned) {
  give_agent();
  log_->send(text_of(wire::SshUseNoted{1}));
  gate_answers_ = false;
  ask(1, kLogin);
  EXPECT_TRUE(run_until(*loop_, [this] { return gate_questions_ == 1; }));
  log_->send(text_of(wire::SshUseNoted{1}));
  ask(2, ListKeys{});
  EXPECT_EQ(heard(), framed("\x0b"));
}

TEST_F(SignerTest, AnAgentThatEndsOrSpeaksNonsenseIsGivenUp) {
  for (const bool speaks : {false, true}) {
    give_agent();
    ask(1, kLogin);
    EXPECT_EQ(heard(), framed(encode(kLogin.sign)));
    if (speaks)
      ASSERT_TRUE(send_all(agent_, std::string("\xff\xff\xff\xff"), "nonsense"));
    else
      agent_.reset();
    EXPECT_TRUE(refused());
    EXPECT_TRUE(run_until(*loop_, [this] { return log_has_ended_; })) << "so the daemon can bring another";
    log_has_ended_ = false;
  }
}

TEST_F(SignerTest, AnAnswerOfAnotherKindIsARefusal) {
  give_agent();
  ask(1, kLogin);
  (void)heard();
  agent_says(encode_keys({"one"}));
  EXPECT_TRUE(refused());
  ask(2, ListKeys{});
  (void)heard();
  agent_says(encode_failure());
  EXPECT_TRUE(refused());
}

TEST_F(SignerTest, SoManyAreUnderWayAndNoMore) {
  give_agent();
  for (Ticket ticket = 1; ticket <= Signer::kMostUnderWay; ++ticket) ask(ticket, ListKeys{});
  ask(99, ListKeys{});
  const Answer answer = next_answer();
  EXPECT_EQ(answer.ticket, 99u);
  EXPECT_TRUE(std::holds_alternative<Refused>(answer.outcome));
}

TEST_F(SignerTest, SoManySignaturesAreMadeInAMinute) {
  give_agent();
  hosts_.clear();
  for (std::size_t i = 0; i < Signer::kMostInAMinute + 5; ++i) {
    ask(i, kLogin);
    EXPECT_TRUE(refused());
  }
  EXPECT_EQ(gate_questions_, static_cast<int>(Signer::kMostInAMinute));
}

TEST_F(SignerTest, EndsWhenItsShimSpeaksNonsense) {
  shim_->send("nonsense");
  EXPECT_TRUE(run_until(*loop_, [this] { return has_ended_; }));
}

TEST_F(SignerTest, IsConfined) {
  const auto status = read_file("/proc/" + std::to_string(pid_) + "/status");
  ASSERT_TRUE(status);
  EXPECT_NE(status->find("Seccomp:\t2"), std::string::npos);
  EXPECT_NE(status->find("NoNewPrivs:\t1"), std::string::npos);
  EXPECT_NE(status->find("CapEff:\t0000000000000000"), std::string::npos);
  if (::geteuid() == 0) {
    EXPECT_NE(status->find("Uid:\t3900000002"), std::string::npos);
  }
}

TEST(Fingerprint, IsAsSshAddShowsIt) {
  // printf abc | sha256sum | xxd -r -p | base64
  EXPECT_EQ(fingerprint("abc"), "SHA256:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0");
}

}  // namespace
}  // namespace sbx::sshagent
