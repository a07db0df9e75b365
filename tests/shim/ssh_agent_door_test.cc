// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/ssh_agent_door.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <sys/socket.h>

#include <array>
#include <deque>

#include "base/socket.h"
#include "sshagent/agent_message.h"
#include "sshagent/message_reader.h"
#include "sshagent/ssh_strings.h"
#include "streams/socket_stream.h"
#include "support/run_loop.h"

// A door whose signer, whose programs and whose servers of SSH the test plays.
namespace sbx::shim {
namespace {

using sshagent::SshWriter;

const std::string kSessionId(32, 's');

// A server's key, with which it proves itself.
class HostKey {
 public:
  HostKey() : key_(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519")) {}
  ~HostKey() { EVP_PKEY_free(key_); }
  HostKey(const HostKey&) = delete;
  HostKey& operator=(const HostKey&) = delete;

  std::string public_key() const {
    std::string point(32, '\0');
    std::size_t size = point.size();
    EVP_PKEY_get_raw_public_key(key_, reinterpret_cast<unsigned char*>(point.data()), &size);
    return two("ssh-ed25519", point);
  }
  sshagent::HostProof proof_of(const std::string& session) const {
    std::string made(64, '\0');
    std::size_t size = made.size();
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    EVP_DigestSignInit(context, nullptr, nullptr, nullptr, key_);
    EVP_DigestSign(context, reinterpret_cast<unsigned char*>(made.data()), &size,
                   reinterpret_cast<const unsigned char*>(session.data()), session.size());
    EVP_MD_CTX_free(context);
    return {public_key(), two("ssh-ed25519", made)};
  }

 private:
  static std::string two(std::string_view a, std::string_view b) {
    SshWriter into;
    into.text(a);
    into.text(b);
    return into.take();
  }

  EVP_PKEY* key_;
};

std::string handshake_with(const sshagent::HostProof& proof) {
  SshWriter payload;
  payload.byte(31);
  payload.text(proof.host_key);
  payload.text("half");
  payload.text(proof.signature);
  const std::string bytes = payload.take();
  SshWriter packet;
  packet.number(static_cast<std::uint32_t>(bytes.size() + 5));
  packet.byte(4);
  return "SSH-2.0-test\r\n" + packet.take() + bytes + "pppp";
}

std::string bind_message(const sshagent::HostProof& proof, const std::string& session, bool forwarding = false) {
  SshWriter into;
  into.byte(27);
  into.text("session-bind@openssh.com");
  into.text(proof.host_key);
  into.text(session);
  into.text(proof.signature);
  into.byte(forwarding ? 1 : 0);
  return into.take();
}

std::string sign_message(const std::string& session, const std::string& host_key = {}) {
  return encode(sshagent::Sign{"user's key", 0, {session, "git", "ssh-ed25519", host_key}});
}

struct NoListener final : streams::Stream::Listener {
  void received(std::string_view) override {}
  void ended() override {}
  void failed(const Error&) override {}
  void drained() override {}
};

class SshAgentDoorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    SocketPair pair = *gate::make_line();
    signer_ = std::make_unique<gate::Line>(
        *loop_, std::move(pair.theirs),
        [this](std::string_view bytes, const Fd&) { asks_.push_back(std::move(*sshagent::decode_ask(bytes))); }, [] {});
    door_ = std::make_unique<SshAgentDoor>(*loop_, std::move(pair.ours), connections_);
  }

  // A connection of the sandbox's to a server that proves itself like this.
  std::unique_ptr<streams::Stream> server_at(const char* host, const sshagent::HostProof& proof) {
    SocketPair pair = *make_socket_pair();
    (void)set_nonblocking(pair.ours);
    auto stream = connections_.watched({*policy::Host::parse(host), 22},
                                       std::make_unique<streams::SocketStream>(*loop_, std::move(pair.ours)));
    stream->listen(nobody_);
    stream->resume();
    EXPECT_TRUE(write_all(pair.theirs, handshake_with(proof)));
    EXPECT_TRUE(sbx::testing::run_until(*loop_, [&] { return connections_.host_with(proof).has_value(); }));
    servers_.push_back(std::move(pair.theirs));
    return stream;
  }

  Fd program() {
    SocketPair pair = *make_socket_pair();
    (void)set_nonblocking(pair.ours);
    door_->serve(std::make_unique<streams::SocketStream>(*loop_, std::move(pair.ours)));
    return std::move(pair.theirs);
  }

  // To one that may have been closed.
  static void say(const Fd& program, std::string_view message) {
    (void)send_all(program, sshagent::framed(message), "ask");
  }
  // The kind of the next answer; 0: the connection is closed.
  int answer_to(const Fd& program) {
    std::array<unsigned char, 5> head{};
    ssize_t size = -1;
    EXPECT_TRUE(sbx::testing::run_until(*loop_, [&] {
      size = ::recv(program.get(), head.data(), head.size(), MSG_DONTWAIT | MSG_PEEK);
      return size == 0 || size == 5;
    }));
    if (size <= 0) return 0;
    std::string all(4u + head[3] + head[2] * 256u, '\0');
    (void)!::recv(program.get(), all.data(), all.size(), MSG_WAITALL);
    return head[4];
  }
  int asked(const Fd& program, std::string_view message) {
    say(program, message);
    return answer_to(program);
  }
  sshagent::Ask next_ask() {
    EXPECT_TRUE(sbx::testing::run_until(*loop_, [this] { return !asks_.empty(); }));
    sshagent::Ask ask = std::move(asks_.front());
    asks_.pop_front();
    return ask;
  }

  std::unique_ptr<loop::Loop> loop_ = *loop::Loop::create();
  NoListener nobody_;
  SshConnections connections_;
  std::vector<Fd> servers_;
  std::deque<sshagent::Ask> asks_;
  std::unique_ptr<gate::Line> signer_;
  std::unique_ptr<SshAgentDoor> door_;
  HostKey host_;
};

TEST_F(SshAgentDoorTest, PassesTheListOfKeysOn) {
  const Fd one = program();
  say(one, "\x0b");
  const auto ask = next_ask();
  EXPECT_TRUE(std::holds_alternative<sshagent::ListKeys>(ask.request));
  signer_->send(encode(sshagent::Answer{ask.ticket, sshagent::Keys{{"a"}}}));
  EXPECT_EQ(answer_to(one), 12);
}

TEST_F(SshAgentDoorTest, PassesALoginOnForTheConnectionThatItIsFor) {
  const auto proof = host_.proof_of(kSessionId);
  const auto server = server_at("github.com", proof);
  for (const std::string& bound_key : {std::string(), proof.host_key}) {
    const Fd one = program();
    EXPECT_EQ(asked(one, bind_message(proof, kSessionId)), 6);
    say(one, sign_message(kSessionId, bound_key));
    const auto ask = next_ask();
    EXPECT_EQ(std::get<sshagent::SignAt>(ask.request).host, "github.com");
    EXPECT_EQ(std::get<sshagent::SignAt>(ask.request).host_key, proof.host_key);
    signer_->send(encode(sshagent::Answer{ask.ticket, sshagent::Signature{"signed"}}));
    EXPECT_EQ(answer_to(one), 14);
  }
}

TEST_F(SshAgentDoorTest, RefusesALoginForAnySessionElsewhere) {
  const auto proof = host_.proof_of(kSessionId);
  auto server = server_at("github.com", proof);
  const std::string elsewhere(32, 'e');
  EXPECT_EQ(asked(program(), sign_message(kSessionId)), 5) << "not bound";
  Fd one = program();
  EXPECT_EQ(asked(one, bind_message(proof, elsewhere)), 5) << "the server has not signed that";
  EXPECT_EQ(asked(one, sign_message(elsewhere)), 5);
  EXPECT_EQ(asked(one, bind_message(host_.proof_of(elsewhere), elsewhere)), 5) << "its own, on another connection";
  EXPECT_EQ(asked(one, sign_message(elsewhere)), 5);
  EXPECT_EQ(asked(one, bind_message(HostKey().proof_of(kSessionId), kSessionId)), 5) << "another server";
  EXPECT_EQ(asked(one, bind_message(proof, kSessionId)), 6);
  EXPECT_EQ(asked(one, sign_message(elsewhere)), 5);
  EXPECT_EQ(asked(one, sign_message(kSessionId, "another host key")), 5);
  server.reset();
  EXPECT_EQ(asked(one, sign_message(kSessionId)), 5) << "it is closed";
  EXPECT_TRUE(asks_.empty());
}

TEST_F(SshAgentDoorTest, RefusesWhatAServerAsksByForwarding) {
  const auto proof = host_.proof_of(kSessionId);
  const auto server = server_at("github.com", proof);
  const Fd one = program();
  EXPECT_EQ(asked(one, bind_message(proof, kSessionId)), 6);
  EXPECT_EQ(asked(one, bind_message(proof, kSessionId, true)), 5);
  EXPECT_EQ(asked(one, sign_message(kSessionId)), 5);
  EXPECT_EQ(asked(one, bind_message(proof, kSessionId)), 5) << "for good";
  EXPECT_TRUE(asks_.empty());
}

TEST_F(SshAgentDoorTest, AnswersInTurnWhateverComesAtOnce) {
  const Fd one = program();
  ASSERT_TRUE(write_all(one, sshagent::framed("\x13") + sshagent::framed("\x0b") + sshagent::framed("\x16")));
  EXPECT_EQ(answer_to(one), 5);
  const auto ask = next_ask();
  signer_->send(encode(sshagent::Answer{ask.ticket, sshagent::Keys{}}));
  EXPECT_EQ(answer_to(one), 12);
  EXPECT_EQ(answer_to(one), 5);
}

TEST_F(SshAgentDoorTest, ClosesWhatIsTooLargeOrOneTooMany) {
  const Fd large = program();
  ASSERT_TRUE(write_all(large, std::string("\0\1\0\0", 4)));
  EXPECT_EQ(answer_to(large), 0);
  std::vector<Fd> programs;
  for (std::size_t i = 0; i < SshAgentDoor::kMostClients; ++i) programs.push_back(program());
  EXPECT_EQ(answer_to(program()), 0);
}

TEST_F(SshAgentDoorTest, DoesNotHearAProgramThatReadsNoAnswers) {
  const Fd one = program();
  ASSERT_TRUE(set_nonblocking(one));
  std::string many;
  while (many.size() < 60'000) many += sshagent::framed("\x13");
  std::size_t taken = 0;
  for (int round = 0; round < 1000; ++round) {
    const ssize_t size = ::send(one.get(), many.data(), many.size(), MSG_NOSIGNAL);
    if (size > 0) taken += static_cast<std::size_t>(size) / 5 * 5;
    if (size > 0 && size % 5 != 0) break;  // the socket is full in the middle of a message
    sbx::testing::settle(*loop_);
  }
  EXPECT_LT(taken, 8u << 20);
  EXPECT_EQ(asked(program(), "\x13"), 5) << "others are heard";
}

TEST_F(SshAgentDoorTest, AnswersAProgramThatLeavesNotAtAll) {
  Fd one = program();
  say(one, "\x0b");
  const auto ask = next_ask();
  one.reset();
  signer_->send(encode(sshagent::Answer{ask.ticket, sshagent::Keys{}}));
  EXPECT_EQ(asked(program(), "\x13"), 5);
}

TEST_F(SshAgentDoorTest, WithoutASignerEveryAnswerIsAFailure) {
  const Fd one = program();
  say(one, "\x0b");
  (void)next_ask();
  signer_.reset();
  EXPECT_EQ(answer_to(one), 5);
  EXPECT_EQ(asked(one, "\x0b"), 5);
}

}  // namespace
}  // namespace sbx::shim
