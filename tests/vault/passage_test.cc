// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/passage.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>

#include "proxy/test_server.h"
#include "support/run_loop.h"
#include "vault/bound_request.h"
#include "vault/wall_clock.h"
#include "wire/credential_file.h"

namespace sbx::vault {
namespace {

using sbx::testing::Heard;
using sbx::testing::Issued;
using sbx::testing::Issuer;
using sbx::testing::noting;
using sbx::testing::Pipe;
using sbx::testing::run_until;
using sbx::testing::Secure;
using sbx::testing::TestServer;

const std::string kPassageSecret = "sk-0123456789-abcdefghijklmnopqrstuvwxyz";

wire::Credential key() { return {"key", {"api.test"}, "x-api-key", "", "", {"stand-in"}, kPassageSecret, 0}; }

std::shared_ptr<const Credentials> loaded(const std::vector<wire::Credential>& all) {
  return *Credentials::load(*wire::make_credential_file(all));
}

Fd connected_to(std::uint16_t port) {
  Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_TRUE(set_nonblocking(socket));
  return socket;
}

// A passage to a server of the test's, which is its shim, and may be one that was taken over.
class PassageTest : public ::testing::Test {
 protected:
  PassageTest() { ::signal(SIGPIPE, SIG_IGN); }
  ~PassageTest() override {
    passage_.reset();
    shim_.reset();
  }

  // False: it could not be opened; then why_ is the reason.
  bool open(TestServer::Script script, const std::string& name = "DNS:api.test") {
    certificate_ = issuer_.issue(name);
    server_ = std::make_unique<TestServer>(std::move(script), Secure{&certificate_, {"http/1.1"}});
    context_ = std::move(*tls::make_client_context(issuer_.roots()));
    std::optional<Result<Fd>> made;
    passage_ = std::make_unique<Passage>(
        *loop_, *policy::parse_target("api.test:443"),
        Passage::Handlers{[this] { return credentials_; }, [&made](Result<Fd> shims) { made = std::move(shims); },
                          [this] { done_ = true; }});
    passage_->connect(connected_to(server_->port()), context_.get());
    EXPECT_TRUE(run_until(*loop_, [&made] { return made.has_value(); }));
    if (!*made) {
      why_ = made->error().what();
      return false;
    }
    shim_ = std::move(**made);
    return true;
  }

  void say(ToVault kind, std::string_view bytes) { say_raw(frame(kind, bytes)); }
  void say_raw(const std::string& bytes) {
    EXPECT_EQ(::send(shim_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  }
  void ask(const BoundRequest& request) {
    say(ToVault::kHead, encode(request));
    if (!request.websocket) say(ToVault::kEnd, {});
  }

  void listen_once() {
    std::array<char, 64 << 10> piece;
    const ssize_t size = ::recv(shim_.get(), piece.data(), piece.size(), MSG_DONTWAIT);
    if (size == 0) ended_ = true;
    if (size <= 0) return;
    EXPECT_TRUE(
        frames_.take({piece.data(), static_cast<std::size_t>(size)}, [this](std::uint8_t kind, std::string_view bytes) {
          heard_.push_back({static_cast<ToShim>(kind), std::string(bytes)});
          return true;
        }));
  }
  // What the server said, as far as it has come.
  std::string data() const {
    std::string all;
    for (const auto& [kind, bytes] : heard_)
      if (kind == ToShim::kData) all += bytes;
    return all;
  }
  std::string last_of(ToShim wanted) const {
    std::string last;
    for (const auto& [kind, bytes] : heard_)
      if (kind == wanted) last = bytes;
    return last;
  }
  bool await(const std::function<bool()>& is_so) {
    return run_until(*loop_, [&] {
      listen_once();
      return is_so();
    });
  }
  bool await_data(std::string_view end) {
    return await([&] { return data().ends_with(end); });
  }
  // It is over, and nothing of what was said last has reached the server.
  bool await_end() {
    return await([this] { return done_; });
  }

  static BoundRequest get() { return {"GET", "/", {}, std::nullopt, false, false}; }

  std::unique_ptr<loop::Loop> loop_ = *loop::Loop::create();
  Issuer issuer_;
  Issued certificate_;
  Heard server_heard_;
  std::unique_ptr<TestServer> server_;
  tls::SslContext context_;
  std::shared_ptr<const Credentials> credentials_ = loaded({key()});
  std::unique_ptr<Passage> passage_;
  bool done_ = false;
  std::string why_;
  Fd shim_;
  FrameReader frames_{static_cast<std::uint8_t>(ToShim::kRefused)};
  std::vector<std::pair<ToShim, std::string>> heard_;
  bool ended_ = false;
};

TEST_F(PassageTest, SetsTheCredentialAndSaysWhichItWas) {
  ASSERT_TRUE(open(noting(server_heard_)));
  ask(get());
  ASSERT_TRUE(await_data("ok"));
  EXPECT_EQ(server_heard_.all(), "GET / HTTP/1.1\r\nHost: api.test\r\nx-api-key: " + kPassageSecret + "\r\n\r\n");
  EXPECT_EQ(last_of(ToShim::kUsed), "key");
}

TEST_F(PassageTest, SpeaksToNoServerThatIsNotTheHost) {
  EXPECT_FALSE(open(noting(server_heard_), "DNS:evil.test"));
  EXPECT_NE(why_.find("certificate"), std::string::npos);
}

TEST_F(PassageTest, FramesBodiesItself) {
  ASSERT_TRUE(open(noting(server_heard_)));
  say(ToVault::kHead, encode({"POST", "/", {}, 6, false, false}));
  say(ToVault::kBody, "abc");
  say(ToVault::kBody, "def");
  say(ToVault::kEnd, {});
  ASSERT_TRUE(await_data("ok"));
  say(ToVault::kHead, encode({"POST", "/", {}, std::nullopt, true, false}));
  say(ToVault::kBody, "0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n");
  say(ToVault::kEnd, {});
  ASSERT_TRUE(await_data("okHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  // The server answers to heads, and may not have read the body by then.
  const auto heard = [this](std::string_view text) { return server_heard_.all().find(text) != std::string::npos; };
  EXPECT_TRUE(await([&] { return heard("\r\n\r\nabcdef"); }));
  EXPECT_TRUE(await([&] { return heard("\r\n1f\r\n0\r\n\r\nGET /smuggled"); }));  // in one chunk
}

TEST_F(PassageTest, WhatAShimMayNotSayEndsItAndReachesNoServer) {
  const std::string head = frame(ToVault::kHead, encode(get()));
  const std::string post = frame(ToVault::kHead, encode({"POST", "/", {}, 3, false, false}));
  const std::string upgrade = frame(ToVault::kHead, encode({"GET", "/", {}, std::nullopt, false, true}));
  BoundRequest fronting = get();
  fronting.fields = {{"Host", "evil.test"}};
  const std::vector<std::pair<const char*, std::string>> attacks = {
      {"a second Host", frame(ToVault::kHead, encode(fronting))},
      {"a body before a head", frame(ToVault::kBody, "x")},
      {"an end before a head", frame(ToVault::kEnd, "")},
      {"a head in a body", post + frame(ToVault::kBody, "ab") + head},
      {"more than the length", post + frame(ToVault::kBody, "abcd")},
      {"less than the length", post + frame(ToVault::kBody, "ab") + frame(ToVault::kEnd, "")},
      {"a body where none was said", head + frame(ToVault::kBody, "GET /smuggled HTTP/1.1\r\n\r\n")},
      {"a head after an upgrade", upgrade + head},
      {"an unknown frame", frame(std::uint8_t{9}, "")},
      {"a head that is none", frame(ToVault::kHead, "GET / HTTP/1.1\r\n\r\n")},
  };
  for (const auto& [name, bytes] : attacks) {
    Heard heard;
    done_ = false;
    ASSERT_TRUE(open(noting(heard))) << name;
    say_raw(bytes);
    EXPECT_TRUE(await_end()) << name;
    passage_.reset();
    server_->end();
    EXPECT_EQ(heard.all().find("smuggled"), std::string::npos) << name;
    EXPECT_EQ(heard.all().find("evil.test"), std::string::npos) << name;
  }
}

TEST_F(PassageTest, OverwritesTheSecretInWhatComesBack) {
  ASSERT_TRUE(open([](Pipe& client) {
    const std::string head = client.head();
    for (const char byte : head) client.send({&byte, 1});
    client.send(head);
    client.half_close();
  }));
  ask(get());
  ASSERT_TRUE(await([this] { return ended_; }));
  EXPECT_EQ(data().find(kPassageSecret), std::string::npos);
  EXPECT_EQ(data().find(kPassageSecret.substr(16)), std::string::npos);
  EXPECT_NE(data().find("x-api-key: " + std::string(kPassageSecret.size(), '*')), std::string::npos);
  EXPECT_EQ(heard_.back().first, ToShim::kEnd);
}

TEST_F(PassageTest, AConnectionThatIsCutOffHasNoEnd) {
  ASSERT_TRUE(open([](Pipe& client) {
    client.head();
    client.send("HTTP/1.1 200 OK\r\n\r\npart");
    client.close();
  }));
  ask(get());
  ASSERT_TRUE(await([this] { return ended_ || done_; }));
  for (const auto& [kind, bytes] : heard_) EXPECT_NE(kind, ToShim::kEnd);
}

TEST_F(PassageTest, AfterAnUpgradeBytesGoBothWaysAndHalvesEndOnTheirOwn) {
  ASSERT_TRUE(open([](Pipe& client) {
    client.head();
    client.send("HTTP/1.1 101 Switching Protocols\r\n\r\n");
    client.send(client.exactly(5));
    client.rest();
    client.send("bye");
    client.half_close();
  }));
  ask({"GET", "/", {}, std::nullopt, false, true});
  say(ToVault::kBody, "bytes");
  ASSERT_TRUE(await_data("bytes"));
  ::shutdown(shim_.get(), SHUT_WR);
  ASSERT_TRUE(await_data("bytesbye"));
  EXPECT_TRUE(await_end());
}

TEST_F(PassageTest, AnExpiredCredentialIsRefusedAndNothingIsSent) {
  wire::Credential old = key();
  old.expires_ms = 1;
  credentials_ = loaded({old});
  ASSERT_TRUE(open(noting(server_heard_)));
  ask(get());
  ASSERT_TRUE(await([this] { return ended_; }));
  EXPECT_EQ(heard_.back().first, ToShim::kRefused);
  EXPECT_EQ(last_of(ToShim::kUsed), "key");
  passage_.reset();
  server_->end();
  EXPECT_EQ(server_heard_.all(), "");
}

TEST_F(PassageTest, EndsWhenACredentialThatItUsedIsGoneOrExpires) {
  for (const bool expires : {false, true}) {
    heard_.clear();
    ended_ = done_ = false;
    credentials_ = loaded({key()});
    ASSERT_TRUE(open(noting(server_heard_)));
    ask(get());
    ASSERT_TRUE(await_data("ok"));
    wire::Credential other = key();
    if (expires)
      other.expires_ms = wall_milliseconds() - 1;
    else
      other.name = "another";
    credentials_ = loaded({other});
    passage_->check(*credentials_, wall_milliseconds());
    ASSERT_TRUE(await([this] { return ended_; }));
    EXPECT_EQ(heard_.back().first, ToShim::kRefused);
    passage_.reset();
  }
}

TEST_F(PassageTest, AValueThatChangesIsSetInTheNextRequestAndBothAreMasked) {
  const std::string second = "another-secret-of-the-same-name";
  ASSERT_TRUE(open([](Pipe& client) {
    for (std::string head = client.head(); !head.empty(); head = client.head()) client.send(head + head);
  }));
  ask(get());
  ASSERT_TRUE(await([this] { return data().size() > 2 * kPassageSecret.size() && data().ends_with("\r\n\r\n"); }));
  wire::Credential changed = key();
  changed.value = second;
  credentials_ = loaded({changed});
  passage_->check(*credentials_, wall_milliseconds());
  const std::size_t before = data().size();
  BoundRequest both = get();
  both.fields = {{"X-Old", kPassageSecret}};
  ask(both);
  ASSERT_TRUE(await([&] { return data().size() > before + 2 * (kPassageSecret.size() + second.size()); }));
  EXPECT_FALSE(ended_ || done_);
  EXPECT_EQ(data().find(second), std::string::npos);
  EXPECT_EQ(data().find(kPassageSecret), std::string::npos);
}

TEST_F(PassageTest, EndsWhenItsHostIsNotBoundAnyMore) {
  ASSERT_TRUE(open(noting(server_heard_)));
  passage_->check(*loaded({}), wall_milliseconds());
  EXPECT_TRUE(done_);
}

}  // namespace
}  // namespace sbx::vault
