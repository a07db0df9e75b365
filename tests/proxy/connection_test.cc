// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/connection.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "base/format.h"
#include "proxy/world.h"

namespace sbx::proxy {
namespace {

using testing::Edits;
using testing::Heard;
using testing::Issued;
using testing::kGet;
using testing::kOk;
using testing::Pipe;
using testing::Secure;
using testing::TestServer;
using testing::World;

const std::string kGet8443 = "GET / HTTP/1.1\r\nHost: good.test:8443\r\n\r\n";

// A server that may speak first is called at once.
ProxyLimits not_silent() {
  ProxyLimits limits;
  limits.silence = std::chrono::milliseconds(1);
  return limits;
}

void echo(Pipe& server) {
  for (std::string more = server.some(); !more.empty(); more = server.some()) server.send(more);
  server.send("end");
}

// A host and ports that rules name: what is neither HTTP nor TLS may pass on those that are not HTTP's.
class OtherTest : public ::testing::Test {
 protected:
  void serve(std::uint16_t port, TestServer::Script script, Secure secure = {}) {
    upstream_ = std::make_unique<TestServer>(std::move(script), std::move(secure));
    world_.serve(port, *upstream_);
  }
  void TearDown() override { world_.end(); }

  Heard heard_;
  Issued certificate_;
  std::unique_ptr<TestServer> upstream_;  // ends after the world has
  World world_{{{"allow-host", "good.test:22"},
                {"allow-host", "good.test:80"},
                {"allow-host", "good.test:443"},
                {"allow-host", "good.test:8443"}},
               not_silent()};
};

TEST_F(OtherTest, AServerMaySpeakFirst) {
  serve(22, [](Pipe& server) {
    server.send("SSH-2.0-server\r\n");
    echo(server);
  });
  Pipe client = world_.captured("good.test:22");
  EXPECT_EQ(client.until("\r\n"), "SSH-2.0-server\r\n");
  client.send("SSH-2.0-client\r\n");
  EXPECT_EQ(client.until("\r\n"), "SSH-2.0-client\r\n");
}

TEST_F(OtherTest, AClientMaySpeakFirstAndBothEndsArePassedOn) {
  serve(22, echo);
  Pipe client = world_.captured("good.test:22");
  client.send("SSH-2.0-client\r\n");
  EXPECT_EQ(client.until("\r\n"), "SSH-2.0-client\r\n");
  client.half_close();
  EXPECT_EQ(client.rest(), "end");
}

TEST_F(OtherTest, AFewBytesAndTheEndAreEnough) {
  serve(22, echo);
  Pipe client = world_.captured("good.test:22");
  client.send("PING");  // not a line, and might still become a request
  client.half_close();
  EXPECT_EQ(client.rest(), "PINGend");
}

TEST_F(OtherTest, OtherPortsAndHostsAreClosedAndLogged) {
  serve(2222, [this](Pipe& server) { heard_.add("called" + server.rest()); });
  for (const char* target : {"good.test:2222", "other.test:22"}) {
    Pipe client = world_.captured(target);
    client.send("SSH-2.0-client\r\n");
    EXPECT_EQ(client.rest(), "") << target;
  }
  world_.end();
  upstream_->end();
  EXPECT_EQ(heard_.all(), "");
  const auto log = world_.log();
  ASSERT_EQ(log.size(), 2u);
  EXPECT_EQ(log[0].rule, "<only http>");
}

TEST_F(OtherTest, ASilentClientOfAnotherHostIsLetGo) {
  ProxyLimits limits;
  limits.opening = std::chrono::milliseconds(100);
  World world({{"allow-host", "good.test:22"}}, limits);
  Pipe client = world.captured("other.test:22");
  EXPECT_EQ(client.rest(), "");
  EXPECT_TRUE(world.dials().empty());
}

TEST_F(OtherTest, AClientThatWaitsAndThenBeginsTlsIsInspected) {
  certificate_ = world_.issuer().issue("DNS:good.test");
  serve(8443, noting(heard_), {&certificate_, {"http/1.1"}});
  Pipe client = world_.captured("good.test:8443");
  while (upstream_->connections() == 0) std::this_thread::yield();  // it was called because the client was silent
  ASSERT_EQ(client.shake_hands(world_.tls({"good.test"})), "");
  client.send(kGet8443);
  EXPECT_EQ(client.response(), kOk);
  EXPECT_EQ(upstream_->connections(), 2);
  EXPECT_EQ(world_.log().front().method, "GET");
}

TEST_F(OtherTest, AClientThatWaitsAndThenSpeaksHttpIsInspected) {
  serve(8443, noting(heard_));
  Pipe client = world_.captured("good.test:8443");
  while (upstream_->connections() == 0) std::this_thread::yield();
  client.send("GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n");
  EXPECT_TRUE(client.rest().starts_with("HTTP/1.1 403 "));
  world_.end();
  upstream_->end();
  EXPECT_EQ(heard_.all(), "");
}

TEST_F(OtherTest, AClientThatSpeaksWhileTheServerIsCalledIsServedOnce) {
  serve(8443, noting(heard_));
  world_.hold_dials(true);
  Pipe client = world_.captured("good.test:8443");
  while (world_.dials().empty()) std::this_thread::yield();
  client.send(kGet8443);
  while (world_.dials().size() < 2) std::this_thread::yield();
  world_.hold_dials(false);
  EXPECT_EQ(client.response(), kOk);
  EXPECT_EQ(upstream_->connections(), 1);  // the first call was given up
}

TEST_F(OtherTest, AServerThatSpeaksInTheMiddleOfAHelloIsNotBelieved) {
  serve(8443, [this](Pipe& server) {
    server.send("welcome");
    heard_.add(server.rest());
  });
  world_.hold_dials(true);
  Pipe client = world_.captured("good.test:8443");
  while (world_.dials().empty()) std::this_thread::yield();
  client.send("\x16");
  world_.hold_dials(false);
  EXPECT_EQ(client.rest(), "");
  world_.end();
  upstream_->end();
  EXPECT_EQ(heard_.all(), "");
}

TEST_F(OtherTest, TlsIsInspectedWhateverItsHelloOffers) {
  certificate_ = world_.issuer().issue("DNS:good.test");
  for (const std::uint16_t port : std::initializer_list<std::uint16_t>{443, 8443}) {
    serve(port, noting(heard_), {&certificate_, {"x"}});
    Pipe client = world_.captured(sbx::format("good.test:{}", port));
    ASSERT_EQ(client.shake_hands(world_.tls({"good.test", {"x"}})), "");  // it trusts our own authority only
    EXPECT_EQ(client.protocol(), "");
    client.send("GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n");
    EXPECT_TRUE(client.rest().starts_with("HTTP/1.1 403 "));
    client.close();
    EXPECT_EQ(world_.log().back().rule, "<names agree>");
    EXPECT_EQ(heard_.all(), "");
  }
}

TEST_F(OtherTest, WhatIsNotHttpInsideTlsIsRefusedWithTheReasonAndReachesNobody) {
  certificate_ = world_.issuer().issue("DNS:good.test");
  serve(8443, [this](Pipe& server) { heard_.add(server.rest()); }, {&certificate_, {}});
  const std::string openings[] = {"\x10\x0c" + std::string(1, '\0') + "\4MQTT", "a1 LOGIN me secret\r\n",
                                  "\x16\x03\x01\x02" + std::string(600, 'x')};
  for (const std::string& bytes : openings) {
    Pipe client = world_.captured("good.test:8443");
    ASSERT_EQ(client.shake_hands(world_.tls({"good.test", {}})), "");
    client.send(bytes);
    EXPECT_NE(client.rest().find("network proxy box --bypass-host good.test:8443\n"), std::string::npos) << bytes;
    EXPECT_EQ(world_.log().back().rule, "<only http>") << bytes;
    EXPECT_EQ(world_.log().back().reason.find("it is TLS and not HTTP"), 0u) << world_.log().back().reason;
  }
  world_.end();
  upstream_->end();
  EXPECT_EQ(heard_.all(), "");
}

TEST_F(OtherTest, AServerThatSpeaksFirstInsideTlsIsRefusedAtOnce) {
  certificate_ = world_.issuer().issue("DNS:good.test");
  serve(8443, [](Pipe& server) { server.send("* OK IMAP4rev1\r\n"), server.rest(); }, {&certificate_, {"imap"}});
  Pipe client = world_.captured("good.test:8443");
  ASSERT_EQ(client.shake_hands(world_.tls({"good.test", {"imap"}})), "");
  const std::string answer = client.rest();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 403 ")) << answer;
  EXPECT_EQ(answer.find("IMAP4rev1"), std::string::npos);
  EXPECT_EQ(world_.log().back().rule, "<only http>");
}

TEST_F(OtherTest, AServerThatIsTiredOfWaitingInsideTlsIsNoReasonToRefuse) {
  certificate_ = world_.issuer().issue("DNS:good.test");
  std::atomic<bool> left_alone = false;
  const auto tired = [&](Pipe& server) {
    server.send("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n");
    server.rest();
    left_alone = true;
  };
  serve(443, [&](Pipe& server) { left_alone ? noting(heard_)(server) : tired(server); }, {&certificate_, {}});
  Pipe client = world_.captured("good.test:443");
  ASSERT_EQ(client.shake_hands(world_.tls({"good.test"})), "");
  while (!left_alone) std::this_thread::yield();
  client.send(kGet);
  EXPECT_EQ(client.response(), kOk);
}

// A rule that says raw: whatever it is, it passes.
class RawTest : public OtherTest {
 protected:
  RawTest() { world_.change({{"policy", "deny"}, {"allow-raw", "good.test:993"}, {"allow-raw", "good.test:443"}}); }

  // TLS of the server's own.
  Pipe tls_to_server(const std::string& target, const World::Tls& how) {
    certificate_ = testing::Issuer::sign_itself("DNS:good.test");
    serve(policy::parse_target(target)->port, echo, {&certificate_, how.protocols});
    Pipe client = world_.captured(target);
    testing::Ssl ssl = world_.tls(how);
    SSL_set_verify(ssl.get(), SSL_VERIFY_NONE, nullptr);
    EXPECT_EQ(client.shake_hands(std::move(ssl)), "");
    return client;
  }
};

TEST_F(RawTest, PassesTlsOfAnyKindToTheServersOwnCertificate) {
  const World::Tls kinds[] = {{"good.test", {"imap"}}, {"good.test", {}}, {std::nullopt, {"x"}}, {"evil.test"}};
  for (const World::Tls& how : kinds) {
    Pipe client = tls_to_server("good.test:993", how);
    EXPECT_EQ(X509_cmp(SSL_get0_peer_certificate(client.ssl()), certificate_.certificate.get()), 0);
    client.send("a1 NOOP\r\n");
    EXPECT_EQ(client.until("\n"), "a1 NOOP\r\n");
  }
  world_.end();
  EXPECT_EQ(world_.log().front().path, netlog::Path::kTransparentBypass);
  EXPECT_EQ(world_.log().front().rule, "good.test:993");
}

TEST_F(RawTest, PassesWhatIsAndIsNotARequestOnThePortOfHttpsToo) {
  const std::string openings[] = {"SSH-2.0-x\r\n", "GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n", "PING", "\x16\x03"};
  serve(443, echo);
  for (const std::string& bytes : openings) {
    Pipe client = world_.captured("good.test:443");
    client.send(bytes);
    EXPECT_EQ(client.exactly(bytes.size()), bytes);
    client.half_close();
    EXPECT_EQ(client.rest(), "end");
  }
}

TEST_F(RawTest, CallsTheServerWithoutWaitingForTheClient) {
  serve(993, [](Pipe& server) { server.send("* OK\r\n"), server.rest(); });
  Pipe captured = world_.captured("good.test:993");
  EXPECT_EQ(captured.until("\n"), "* OK\r\n");
  Pipe forward = world_.forward();
  forward.send("CONNECT good.test:993 HTTP/1.1\r\n\r\n");
  EXPECT_EQ(forward.head(), "HTTP/1.1 200 Connection established\r\n\r\n");
  EXPECT_EQ(forward.until("\n"), "* OK\r\n");
}

TEST_F(RawTest, IsThatHostAndThatPortOnly) {
  for (const char* target : {"good.test:994", "a.good.test:993", "other.test:993"}) {
    Pipe client = world_.captured(target);
    client.send("a1 NOOP\r\n");
    EXPECT_EQ(client.rest(), "") << target;
  }
  EXPECT_TRUE(world_.dials().empty());
}

TEST_F(RawTest, EndsWithItsRuleAlsoIfTheHostStaysAllowed) {
  for (const char* edit : {"allow-host", "block-host"}) {
    world_.change({{"allow-raw", "good.test:993"}});
    Pipe client = tls_to_server("good.test:993", {"good.test", {"imap"}});
    world_.change({{edit, "good.test:993"}});
    EXPECT_EQ(client.rest(), "") << edit;
  }
}

TEST_F(RawTest, BypassedTlsMayBeOfAnyProtocolAndIsForItsHost) {
  for (const Edits& edits : {Edits{{"bypass-host", "good.test:993"}}, Edits{{"bypass-cidr", "203.0.113.0/24"}}}) {
    world_.change(edits);
    Pipe client = tls_to_server("good.test:993", {"good.test", {"imap"}});
    EXPECT_EQ(X509_cmp(SSL_get0_peer_certificate(client.ssl()), certificate_.certificate.get()), 0);
  }
}

// By default.

class ConnectionTest : public ::testing::Test {
 protected:
  void TearDown() override { world_->end(); }

  Heard heard_;
  Issued certificate_;
  std::unique_ptr<TestServer> upstream_;  // ends after the world has
  std::unique_ptr<World> world_ = std::make_unique<World>();
};

TEST_F(ConnectionTest, ABypassedHostGetsTheClientsOwnTls) {
  world_ = std::make_unique<World>(Edits{{"bypass-host", "good.test"}});
  certificate_ = testing::Issuer::sign_itself("DNS:good.test");
  upstream_ = std::make_unique<TestServer>(echo, Secure{&certificate_, {}});
  world_->serve(443, *upstream_);
  Pipe client = world_->captured("good.test:443");
  testing::Ssl ssl = world_->tls({"good.test"});
  SSL_set_verify(ssl.get(), SSL_VERIFY_NONE, nullptr);
  ASSERT_EQ(client.shake_hands(std::move(ssl)), "");
  EXPECT_EQ(X509_cmp(SSL_get0_peer_certificate(client.ssl()), certificate_.certificate.get()), 0);
  client.send("not HTTP");
  EXPECT_EQ(client.exactly(8), "not HTTP");
  client.half_close();
  EXPECT_EQ(client.rest(), "end");
  world_->end();
  EXPECT_EQ(world_->log().front().path, netlog::Path::kTransparentBypass);
}

TEST_F(ConnectionTest, ARefusalIsReadableInsideTls) {
  world_ = std::make_unique<World>(Edits{{"policy", "deny"}});
  Pipe client = world_->secure("good.test");
  client.send(kGet);
  const std::string answer = client.rest();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 403 Forbidden\r\n"));
  EXPECT_NE(answer.find("sandbox network proxy box --allow-host good.test\n"), std::string::npos) << answer;
  EXPECT_TRUE(world_->dials().empty());
}

TEST_F(ConnectionTest, ARefusalIsLoggedWhateverTheClientSaysInsideTls) {
  world_ = std::make_unique<World>(Edits{{"policy", "deny"}});
  for (const char* words : {"", "a1 NOOP\r\n", "GET / HTTP/1.1\r\nHost: good.test\r\n\r\n"}) {
    const std::size_t before = world_->log().size();
    Pipe client = world_->secure("good.test");
    client.send(words);
    client.half_close();
    client.rest();
    ASSERT_EQ(world_->log().size(), before + 1) << words;
    EXPECT_EQ(world_->log().back().rule, "<default policy>") << words;
  }
}

TEST_F(ConnectionTest, ConnectMayBeFollowedAtOnceByWhatIsToBeSaid) {
  upstream_ = std::make_unique<TestServer>(noting(heard_));
  world_->serve(80, *upstream_);
  Pipe client = world_->forward();
  client.send("CONNECT good.test:80 HTTP/1.1\r\nHost: good.test:80\r\n\r\n" + kGet);
  EXPECT_EQ(client.head(), "HTTP/1.1 200 Connection established\r\n\r\n");
  EXPECT_EQ(client.response(), kOk);
}

TEST_F(ConnectionTest, ARefusedConnectIsExplainedInsideTheTunnel) {
  world_ = std::make_unique<World>(Edits{{"policy", "deny"}});
  Pipe client = world_->forward();
  client.send("CONNECT good.test:443 HTTP/1.1\r\n\r\n");
  EXPECT_EQ(client.head(), "HTTP/1.1 200 Connection established\r\n\r\n");
  ASSERT_EQ(client.shake_hands(world_->tls({"good.test"})), "");
  client.send(kGet);
  EXPECT_NE(client.rest().find("Blocked by network policy: good.test:443"), std::string::npos);
}

TEST_F(ConnectionTest, ARequestByAbsoluteUriGoesWhereItSays) {
  upstream_ = std::make_unique<TestServer>(noting(heard_));
  world_->serve(80, *upstream_);
  Pipe client = world_->forward();
  client.send("GET http://good.test/a?b HTTP/1.1\r\nHost: good.test\r\nProxy-Connection: keep-alive\r\n\r\n");
  EXPECT_EQ(client.response(), kOk);
  client.send("GET http://other.test/ HTTP/1.1\r\nHost: other.test\r\n\r\n");
  EXPECT_EQ(client.response(), kOk);
  EXPECT_EQ(heard_.all(), "GET /a?b HTTP/1.1\r\nHost: good.test\r\n\r\nGET / HTTP/1.1\r\nHost: other.test\r\n\r\n");
  EXPECT_EQ(upstream_->connections(), 2);
}

TEST_F(ConnectionTest, ARedirectToABlockedHostIsDecidedAnew) {
  world_ = std::make_unique<World>(Edits{{"policy", "deny"}, {"allow-host", "good.test"}});
  upstream_ = std::make_unique<TestServer>([this](Pipe& server) {
    heard_.add(server.head());
    server.send("HTTP/1.1 302 Found\r\nLocation: http://evil.test/\r\nContent-Length: 0\r\n\r\n");
    heard_.add(server.rest());
  });
  world_->serve(80, *upstream_);
  Pipe client = world_->forward();
  client.send("GET http://good.test/ HTTP/1.1\r\nHost: good.test\r\n\r\n");
  EXPECT_NE(client.response().find("Location: http://evil.test/"), std::string::npos);
  client.send("GET http://evil.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n");
  EXPECT_TRUE(client.rest().starts_with("HTTP/1.1 403 "));
  EXPECT_EQ(world_->dials(), std::vector<std::string>{"good.test:80"});
}

TEST_F(ConnectionTest, AChangeOfPolicyClosesWhatItForbidsAndNothingElse) {
  upstream_ = std::make_unique<TestServer>([](Pipe& server) {
    for (std::string head = server.head(); !head.empty(); head = server.head())
      server.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n");  // and never ends
  });
  world_->serve(80, *upstream_);
  std::vector<Pipe> good;
  std::vector<Pipe> bad;
  for (int i = 0; i < 50; ++i) {
    good.push_back(world_->captured("good.test:80"));
    bad.push_back(world_->captured("bad.test:80"));
    good.back().send(kGet);
    bad.back().send("GET / HTTP/1.1\r\nHost: bad.test\r\n\r\n");
  }
  for (Pipe& client : good) client.until("x\r\n");
  for (Pipe& client : bad) client.until("x\r\n");
  world_->change({{"block-host", "bad.test"}});
  for (Pipe& client : bad) EXPECT_EQ(client.rest(), "");
  EXPECT_EQ(world_->connections(), good.size());
}

TEST_F(ConnectionTest, AChangeOfPolicyDuringADialHolds) {
  upstream_ = std::make_unique<TestServer>(noting(heard_));
  world_->serve(80, *upstream_);
  for (const Edits& edits : {Edits{{"block-host", "good.test"}}, Edits{{"block-cidr", "203.0.113.0/24"}}}) {
    world_->change({});
    world_->hold_dials(true);
    const std::size_t before = world_->dials().size();
    Pipe client = world_->captured("good.test:80");
    client.send(kGet);
    while (world_->dials().size() == before) std::this_thread::yield();
    world_->change(edits, false);
    world_->hold_dials(false);
    EXPECT_TRUE(client.rest().starts_with("HTTP/1.1 403 "));
  }
  world_->end();
  upstream_->end();
  EXPECT_EQ(heard_.all(), "");
}

TEST_F(ConnectionTest, TwoThousandAtOnceAreServed) {
  upstream_ = std::make_unique<TestServer>(noting(heard_));
  world_->serve(80, *upstream_);
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  if (files.rlim_max < 9000) GTEST_SKIP() << "only " << files.rlim_max << " files may be open here";
  std::vector<Pipe> clients;
  for (int i = 0; i < 2000; ++i) clients.push_back(world_->captured("good.test:80"));
  for (Pipe& client : clients) client.send(kGet);
  for (Pipe& client : clients) EXPECT_EQ(client.response(), kOk);
  EXPECT_EQ(world_->connections(), 2000u);
  clients.clear();
  while (world_->connections() != 0) std::this_thread::yield();
}

TEST_F(ConnectionTest, ANameThatResolvesToABlockedAddressIsRefused) {
  upstream_ = std::make_unique<TestServer>(noting(heard_));
  world_->serve(80, *upstream_);
  world_->resolve("good.test", "127.0.0.1");
  Pipe client = world_->captured("good.test:80");
  client.send(kGet);
  EXPECT_NE(client.rest().find("rule: 127.0.0.0/8"), std::string::npos);
  world_->end();
  upstream_->end();
  EXPECT_EQ(heard_.all(), "");
}

TEST_F(ConnectionTest, AServerThatCannotBeReachedIsABadGatewayInsideTlsToo) {
  Pipe plain = world_->captured("good.test:80");
  plain.send(kGet);
  EXPECT_TRUE(plain.rest().starts_with("HTTP/1.1 502 "));
  Pipe client = world_->secure("good.test");
  client.send(kGet);
  EXPECT_TRUE(client.rest().starts_with("HTTP/1.1 502 "));
}

TEST_F(ConnectionTest, AFailedDialIsLoggedWithTheRuleThatLetItPass) {
  world_ = std::make_unique<World>(Edits{{"policy", "deny"}, {"allow-host", "good.test"}});
  Pipe plain = world_->captured("good.test:80");
  plain.send(kGet);
  plain.rest();
  Pipe client = world_->secure("good.test");
  client.send(kGet);
  client.rest();
  world_->end();
  EXPECT_EQ(world_->log().size(), 2u);
  for (const auto& record : world_->log()) {
    EXPECT_TRUE(record.allowed);
    EXPECT_EQ(record.rule, "good.test");
    EXPECT_TRUE(record.reason.starts_with("a rule allows it")) << record.reason;
    EXPECT_EQ(record.status, 502u);
  }
}

TEST_F(ConnectionTest, AServerThatNeverFinishesTlsIsGivenUp) {
  ProxyLimits limits;
  limits.handshake = std::chrono::milliseconds(100);
  world_ = std::make_unique<World>(Edits{}, limits);
  upstream_ = std::make_unique<TestServer>([](Pipe& server) { server.rest(); });
  world_->serve(443, *upstream_);
  Pipe client = world_->captured("good.test:443");
  const std::string failure = client.shake_hands(world_->tls({"good.test"}));
  if (!failure.empty()) return;  // we were slower than the limit ourselves
  client.send(kGet);
  EXPECT_NE(client.rest().find("did not finish the TLS handshake"), std::string::npos);
}

}  // namespace
}  // namespace sbx::proxy
