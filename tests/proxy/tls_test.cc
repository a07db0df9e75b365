// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "tls/tls.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "proxy/world.h"

namespace sbx::proxy {
namespace {

using testing::Heard;
using testing::Issued;
using testing::Issuer;
using testing::kGet;
using testing::kOk;
using testing::Pipe;
using testing::Secure;
using testing::TestServer;
using testing::World;

class TlsTest : public ::testing::Test {
 protected:
  // Every name's port 443, with this certificate.
  void serve(TestServer::Script script, Issued certificate, std::vector<std::string> protocols = {"http/1.1"},
             int version = 0) {
    certificate_ = std::move(certificate);
    upstream_ = std::make_unique<TestServer>(std::move(script), Secure{&certificate_, std::move(protocols), version});
    world_.serve(443, *upstream_);
  }
  void serve(TestServer::Script script) { serve(std::move(script), world_.issuer().issue("DNS:good.test")); }
  void TearDown() override { world_.end(); }

  Heard heard_;
  Issued certificate_;
  std::unique_ptr<TestServer> upstream_;  // ends after the world has
  World world_;
};

TEST_F(TlsTest, InspectsWithACertificateOfTheSandboxsAuthority) {
  serve(noting(heard_));
  Pipe client = world_.secure("good.test");
  client.send(kGet);
  EXPECT_EQ(client.response(), kOk);
  const auto log = world_.log();
  ASSERT_EQ(log.size(), 1u);
  EXPECT_EQ(log[0].method + " " + log[0].host + log[0].url_path, "GET good.test/");
}

TEST_F(TlsTest, SpeaksEitherVersionToEitherSide) {
  for (const int here : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    for (const int there : {TLS1_2_VERSION, TLS1_3_VERSION}) {
      serve(noting(heard_), world_.issuer().issue("DNS:good.test"), {}, there);
      Pipe client = world_.captured("good.test:443");
      ASSERT_EQ(client.shake_hands(world_.tls({"good.test", {"http/1.1"}, here})), "");
      client.send(kGet);
      EXPECT_EQ(client.response(), kOk) << here << " " << there;
      client.close();
    }
  }
}

TEST_F(TlsTest, RefusesOldVersions) {
  serve(noting(heard_));
  Pipe client = world_.captured("good.test:443");
  EXPECT_NE(client.shake_hands(world_.tls({"good.test", {"http/1.1"}, TLS1_1_VERSION})), "");
  world_.end();
  upstream_->end();
  EXPECT_EQ(heard_.all(), "");
}

TEST_F(TlsTest, AServerWithABadCertificateGetsNothingAndTheClientIsToldWhy) {
  struct Case {
    const char* reason;
    Issued certificate;
  };
  const Issuer stranger("stranger");
  std::vector<Case> cases;
  cases.push_back({"certificate has expired", world_.issuer().issue("DNS:good.test", 0)});
  cases.push_back({"hostname mismatch", world_.issuer().issue("DNS:other.test")});
  cases.push_back({"hostname mismatch", world_.issuer().issue("DNS:*.good.test")});
  cases.push_back({"self-signed certificate", Issuer::sign_itself("DNS:good.test")});
  cases.push_back({"unable to get local issuer certificate", stranger.issue("DNS:good.test")});
  for (Case& bad : cases) {
    serve(noting(heard_), std::move(bad.certificate));
    Pipe client = world_.secure("good.test");
    client.send("GET /secret HTTP/1.1\r\nHost: good.test\r\nAuthorization: secret\r\n\r\n");
    const std::string answer = client.rest();
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 502 ")) << bad.reason;
    EXPECT_NE(answer.find(bad.reason), std::string::npos) << answer;
    upstream_->end();
    EXPECT_EQ(heard_.all(), "") << bad.reason;
  }
}

TEST_F(TlsTest, AnAddressNeedsACertificateForItself) {
  serve(noting(heard_), world_.issuer().issue("IP:203.0.113.9"));
  Pipe client = world_.captured("203.0.113.9:443");
  ASSERT_EQ(client.shake_hands(world_.tls({std::nullopt})), "");
  client.send("GET / HTTP/1.1\r\nHost: 203.0.113.9\r\n\r\n");
  EXPECT_EQ(client.response(), kOk);
}

TEST_F(TlsTest, AClientThatDoesNotTrustUsIsLogged) {
  serve(noting(heard_));
  Pipe client = world_.captured("good.test:443");
  EXPECT_NE(client.shake_hands(world_.tls({"good.test", {"http/1.1"}, 0, false})), "");
  client.close();
  world_.end();
  const auto log = world_.log();
  ASSERT_EQ(log.size(), 1u);
  EXPECT_NE(log[0].reason.find("the client broke off the TLS handshake"), std::string::npos) << log[0].reason;
  upstream_->end();
  EXPECT_EQ(heard_.all(), "");
}

TEST_F(TlsTest, ABodyThatEndsWithoutACloseNotifyDoesNotLookComplete) {
  serve([](Pipe& server) {
    server.head();
    server.send("HTTP/1.1 200 OK\r\n\r\nhalf of it");
    server.cut();
  });
  Pipe client = world_.secure("good.test");
  client.send(kGet);
  const std::string answer = client.rest();
  EXPECT_NE(answer.find("half of it"), std::string::npos);
  EXPECT_EQ(answer.find("0\r\n\r\n"), std::string::npos);
  EXPECT_FALSE(client.ended_cleanly());
}

TEST_F(TlsTest, ABodyThatEndsWithACloseNotifyIsComplete) {
  serve([](Pipe& server) {
    server.head();
    server.send("HTTP/1.1 200 OK\r\n\r\nall of it");
    server.half_close();
  });
  Pipe client = world_.secure("good.test");
  client.send("GET / HTTP/1.0\r\nHost: good.test\r\n\r\n");
  EXPECT_NE(client.rest().find("all of it"), std::string::npos);
  EXPECT_TRUE(client.ended_cleanly());
}

// All in one read of the proxy's: a record with a broken chunk, and good ones behind it.
TEST_F(TlsTest, RecordsBehindTheOneThatEndedASessionDoNoHarm) {
  std::promise<void> asked;
  std::promise<void> held;
  std::promise<void> sent;
  serve([&](Pipe& server) {
    server.head();
    asked.set_value();
    held.get_future().wait();
    server.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc");
    server.send("XX");
    for (int i = 0; i < 10; ++i) server.send("\r\n3\r\ndef");
    sent.set_value();
    server.rest();
  });
  Pipe client = world_.secure("good.test");
  client.send(kGet);
  asked.get_future().wait();
  world_.on_loop([&] {
    held.set_value();
    sent.get_future().wait();
  });
  client.rest();
  EXPECT_EQ(world_.log().front().reason,
            "no rule blocks it, and the policy is allow; HTTP body: a chunk is longer than it says");
}

TEST_F(TlsTest, AHelloInSmallPiecesIsAHello) {
  serve(noting(heard_));
  for (const bool records : {false, true}) {
    // The client's bytes, caught on their way.
    testing::Ssl ssl = world_.tls({"good.test"});
    BIO* in = BIO_new(BIO_s_mem());
    BIO* out = BIO_new(BIO_s_mem());
    SSL_set_bio(ssl.get(), in, out);
    SSL_do_handshake(ssl.get());
    std::string hello(1u << 14, '\0');
    hello.resize(static_cast<std::size_t>(BIO_read(out, hello.data(), static_cast<int>(hello.size()))));
    if (records) {
      std::string split;
      for (std::size_t i = 5; i < hello.size(); ++i) split += std::string("\x16\x03\x01\x00\x01", 5) + hello[i];
      hello = split;
    }
    Pipe client = world_.captured("good.test:443");
    for (const char byte : hello) client.send({&byte, 1});
    EXPECT_EQ(client.exactly(1), "\x16") << records;  // a ServerHello
  }
}

TEST_F(TlsTest, BigBodiesTakeNoMemory) {
  constexpr std::size_t kSize = 256u << 20;
  serve([](Pipe& server) {
    server.head();
    server.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(kSize) + "\r\n\r\n");
    const std::string piece(64u << 10, 'x');
    for (std::size_t sent = 0; sent < kSize; sent += piece.size()) server.send(piece);
  });
  Pipe client = world_.secure("good.test");
  client.send(kGet);
  client.head();
  const std::size_t before = testing::resident_bytes();
  std::size_t most = 0;
  for (std::size_t got = 0; got < kSize; got += 1u << 20) {
    ASSERT_EQ(client.skip(1u << 20), 1u << 20);
    most = std::max(most, testing::resident_bytes());
  }
  EXPECT_LT(most, before + kSize / 2);
}

}  // namespace
}  // namespace sbx::proxy
