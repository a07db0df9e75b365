// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/http1.h"

#include <gtest/gtest.h>

#include "proxy/world.h"

namespace sbx::proxy {
namespace {

using testing::Edits;
using testing::Heard;
using testing::kGet;
using testing::kOk;
using testing::Pipe;
using testing::TestServer;
using testing::World;

std::string body_of(const std::string& answer) { return answer.substr(answer.find("\r\n\r\n") + 4); }

// A server in the clear behind port 80 of every name, and a client that was captured on its way there.
class Http1Test : public ::testing::Test {
 protected:
  Pipe connect(TestServer::Script script, const ProxyLimits& limits = {}) {
    world_ = std::make_unique<World>(Edits{}, limits);
    upstream_ = std::make_unique<TestServer>(std::move(script));
    world_->serve(80, *upstream_);
    return world_->captured("good.test:80");
  }
  void TearDown() override {
    if (world_) world_->end();
  }

  Heard heard_;
  std::unique_ptr<TestServer> upstream_;  // ends after the world has
  std::unique_ptr<World> world_;
};

TEST_F(Http1Test, KeepsBothConnectionsForMoreRequests) {
  Pipe client = connect(noting(heard_));
  for (int i = 0; i < 3; ++i) {
    client.send(kGet);
    EXPECT_EQ(client.response(), kOk);
  }
  EXPECT_EQ(upstream_->connections(), 1);
}

TEST_F(Http1Test, AnswersPipelinedRequestsInOrder) {
  Pipe client = connect([](Pipe& server) {
    for (std::string head = server.head(); head.starts_with("GET"); head = server.head()) {
      const std::string path = head.substr(4, 2);
      server.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" + path);
    }
  });
  std::string all;
  for (const char* path : {"/a", "/b", "/c"})
    all += std::string("GET ") + path + " HTTP/1.1\r\nHost: good.test\r\n\r\n";
  client.send(all);
  for (const char* path : {"/a", "/b", "/c"}) EXPECT_EQ(body_of(client.response()), path);
}

TEST_F(Http1Test, PassesChunksAndTrailersBothWays) {
  Pipe client = connect([this](Pipe& server) {
    heard_.add(server.until("0\r\nX-Sum: 1\r\n\r\n"));
    server.send(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 2\r\n\r\n");
  });
  client.send("POST / HTTP/1.1\r\nHost: good.test\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n");
  client.send("0\r\nX-Sum: 1\r\n\r\n");
  const std::string answer = client.until("X-Sum: 2\r\n\r\n");
  EXPECT_EQ(body_of(answer), "3\r\nabc\r\n0\r\nX-Sum: 2\r\n\r\n");
  EXPECT_EQ(body_of(heard_.all()), "5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n");
}

TEST_F(Http1Test, PassesInterimAnswers) {
  Pipe client = connect([](Pipe& server) {
    server.head();
    server.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
    server.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n" + server.exactly(4));
  });
  client.send("PUT / HTTP/1.1\r\nHost: good.test\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.head(), "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(client.head(), "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
  client.send("body");
  EXPECT_EQ(body_of(client.response()), "body");
}

TEST_F(Http1Test, KnowsWhichAnswersHaveNoBody) {
  Pipe client = connect([](Pipe& server) {
    server.head();
    server.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
    server.head();
    server.send("HTTP/1.1 204 No Content\r\n\r\n");
    server.head();
    server.send("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\nContent-Length: 5\r\n\r\n");
    server.head();
    server.send(kOk);
  });
  client.send("HEAD / HTTP/1.1\r\nHost: good.test\r\n\r\n");
  EXPECT_NE(client.head().find("Content-Length: 1000"), std::string::npos);
  client.send(kGet);
  EXPECT_TRUE(client.head().starts_with("HTTP/1.1 204"));
  client.send(kGet);
  EXPECT_TRUE(client.head().starts_with("HTTP/1.1 304"));
  client.send(kGet);
  EXPECT_EQ(client.response(), kOk);
}

TEST_F(Http1Test, ServesAClientOfHttp10AndClosesAfterIt) {
  Pipe client = connect([this](Pipe& server) {
    heard_.add(server.head());
    server.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
  });
  client.send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.rest(), "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc");
  EXPECT_TRUE(client.ended_cleanly());
  EXPECT_TRUE(heard_.all().starts_with("GET / HTTP/1.1\r\nHost: good.test\r\n"));
}

TEST_F(Http1Test, AServerOfHttp10MayEndABodyByClosing) {
  Pipe client = connect([](Pipe& server) {
    server.head();
    server.send("HTTP/1.0 200 OK\r\n\r\nall of it");
  });
  client.send(kGet);
  EXPECT_EQ(body_of(client.until("0\r\n\r\n")), "9\r\nall of it\r\n0\r\n\r\n");
}

TEST_F(Http1Test, ABodyThatIsCutOffDoesNotLookComplete) {
  Pipe client = connect([](Pipe& server) {
    server.head();
    server.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfive.");
  });
  client.send(kGet);
  EXPECT_EQ(body_of(client.rest()), "five.");
  EXPECT_EQ(world_->log().front().reason, "no rule blocks it, and the policy is allow; it closed the connection");
}

TEST_F(Http1Test, PassesEachEventBeforeTheNextIsSent) {
  std::promise<void> seen;
  Pipe client = connect([&seen](Pipe& server) {
    server.head();
    server.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n");
    seen.get_future().wait();  // nothing more is sent before
    server.send("data: 2\n\n");
  });
  client.send(kGet);
  EXPECT_NE(client.until("data: 1\n\n").find("data: 1\n\n"), std::string::npos);
  seen.set_value();
  EXPECT_NE(client.until("data: 2\n\n").find("data: 2\n\n"), std::string::npos);
}

TEST_F(Http1Test, PassesEachPieceOfARequestBeforeTheNextIsSent) {
  Pipe client = connect([](Pipe& server) {
    server.head();
    server.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < 3; ++i) {
      server.until("1\r\n");
      server.send("1\r\n" + server.exactly(1) + "\r\n");
    }
    server.until("0\r\n\r\n");
    server.send("0\r\n\r\n");
  });
  client.send("POST / HTTP/1.1\r\nHost: good.test\r\nTransfer-Encoding: chunked\r\n\r\n");
  client.head();
  for (const char* letter : {"a", "b", "c"}) {
    const std::string chunk = std::string("1\r\n") + letter + "\r\n";
    client.send(chunk);
    EXPECT_EQ(client.exactly(chunk.size()), chunk);
  }
  client.send("0\r\n\r\n");
  EXPECT_EQ(client.exactly(5), "0\r\n\r\n");
}

const std::string kUpgrade =
    "GET /ws HTTP/1.1\r\nHost: good.test\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13\r\n\r\n";

TEST_F(Http1Test, RelaysAWebSocket) {
  Pipe client = connect([this](Pipe& server) {
    heard_.add(server.head());
    server.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello");
    for (std::string more = server.some(); !more.empty(); more = server.some()) server.send("<" + more + ">");
    server.send("bye");
  });
  client.send(kUpgrade + "early");
  EXPECT_NE(client.head().find("Upgrade: websocket"), std::string::npos);
  EXPECT_EQ(client.exactly(12), "hello<early>");
  client.send("x");
  EXPECT_EQ(client.exactly(3), "<x>");
  client.half_close();
  EXPECT_EQ(client.rest(), "bye");
  EXPECT_NE(heard_.all().find("Sec-WebSocket-Key: eA=="), std::string::npos);
}

TEST_F(Http1Test, AnUpgradeThatNobodyAskedForIsNoAnswer) {
  Pipe client = connect([](Pipe& server) {
    server.head();
    server.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
  });
  client.send(kGet);
  EXPECT_TRUE(client.rest().starts_with("HTTP/1.1 502 "));
}

TEST_F(Http1Test, ARequestThatIsFollowedByTheClientsEndIsAnswered) {
  Pipe client = connect([](Pipe& server) {
    server.head();
    server.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n" + server.exactly(4));
  });
  client.send("POST / HTTP/1.1\r\nHost: good.test\r\nContent-Length: 4\r\n\r\nbody");
  client.half_close();
  EXPECT_EQ(body_of(client.rest()), "body");
}

TEST_F(Http1Test, PipelinedRequestsThatAreFollowedByTheClientsEndAreAnswered) {
  Pipe client = connect(noting(heard_));
  client.send(kGet + kGet + kGet);
  client.half_close();
  EXPECT_EQ(client.rest(), kOk + kOk + kOk);
}

TEST_F(Http1Test, AConnectBehindAnotherRequestIsAnswered) {
  world_ = std::make_unique<World>();
  upstream_ = std::make_unique<TestServer>(noting(heard_));
  world_->serve(80, *upstream_);
  Pipe client = world_->forward();
  client.send("GET http://good.test/ HTTP/1.1\r\nHost: good.test\r\n\r\nCONNECT good.test:80 HTTP/1.1\r\n\r\n" + kGet);
  EXPECT_EQ(client.response(), kOk);
  EXPECT_EQ(client.head(), "HTTP/1.1 200 Connection established\r\n\r\n");
  EXPECT_EQ(client.response(), kOk);
}

// The kept server closes or speaks in the very round of the loop in which the client asks for a tunnel.
TEST_F(Http1Test, AKeptServerThatSpeaksDuringAConnectDoesNoHarm) {
  for (int i = 0; i < 20; ++i) {
    std::promise<void> now;
    World world;
    TestServer upstream([&now](Pipe& server) {
      server.head();
      server.send(kOk);
      now.get_future().wait();
      server.send("surprise");
    });
    world.serve(80, upstream);
    Pipe client = world.forward();
    client.send("GET http://good.test/ HTTP/1.1\r\nHost: good.test\r\n\r\n");
    EXPECT_EQ(client.response(), kOk);
    std::promise<void> held;
    std::thread holder([&] { world.on_loop([&] { held.get_future().wait(); }); });  // both come in one round
    now.set_value();
    client.send("CONNECT good.test:81 HTTP/1.1\r\n\r\n");
    upstream.end();
    held.set_value();
    holder.join();
    EXPECT_EQ(client.head(), "HTTP/1.1 200 Connection established\r\n\r\n");
    world.end();
  }
}

TEST_F(Http1Test, AsksAgainWhenAKeptConnectionTurnsOutToBeClosed) {
  std::atomic<int> served = 0;
  Pipe client = connect([&served](Pipe& server) {
    server.head();
    ++served;
    server.send(kOk);
    if (served == 1) server.head();  // and closes without a word
  });
  client.send(kGet);
  EXPECT_EQ(client.response(), kOk);
  client.send(kGet);
  EXPECT_EQ(client.response(), kOk);
  EXPECT_EQ(upstream_->connections(), 2);
}

// The body is gone: a head that announces it would make the server read the next request as that body.
TEST_F(Http1Test, DoesNotAskAgainWithABody) {
  Pipe client = connect([this](Pipe& server) {
    heard_.add(server.head());
    server.send(kOk);
    heard_.add(server.until("body"));
  });
  client.send(kGet);
  EXPECT_EQ(client.response(), kOk);
  client.send("GET / HTTP/1.1\r\nHost: good.test\r\nContent-Length: 4\r\n\r\nbody");
  EXPECT_TRUE(client.rest().starts_with("HTTP/1.1 502 "));
  EXPECT_EQ(upstream_->connections(), 1);
}

TEST_F(Http1Test, WhatAServerSaysTooMuchAnswersNothing) {
  std::atomic<int> served = 0;
  Pipe client = connect([&served](Pipe& server) {
    server.head();
    if (++served == 1) server.send(kOk + "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
    if (served == 2) server.send(kOk);
    server.rest();
  });
  client.send(kGet);
  EXPECT_EQ(client.response(), kOk);
  client.send(kGet);
  EXPECT_EQ(client.response(), kOk);
}

TEST_F(Http1Test, AFloodOfInterimAnswersIsNotHoarded) {
  std::atomic<std::size_t> sent = 0;
  std::promise<void> stuck;
  Pipe client = connect([&](Pipe& server) {
    server.head();
    server.set_patience(std::chrono::milliseconds(500));
    std::string hints;
    for (int i = 0; i < 1000; ++i) hints += "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
    while (sent < (64u << 20)) {
      const std::size_t taken = server.send(hints);
      sent += taken;
      if (taken < hints.size()) break;
    }
    stuck.set_value();
  });
  client.send(kGet);
  stuck.get_future().wait();
  EXPECT_LT(sent, 32u << 20);
}

TEST_F(Http1Test, AServerIsNotReadFasterThanTheClientReads) {
  std::atomic<std::size_t> sent = 0;
  std::promise<void> stuck;
  Pipe client = connect([&](Pipe& server) {
    server.head();
    server.set_patience(std::chrono::milliseconds(500));
    server.send("HTTP/1.1 200 OK\r\nContent-Length: 67108864\r\n\r\n");
    const std::string piece(64u << 10, 'x');
    std::size_t taken = piece.size();
    while (sent < (64u << 20) && taken == piece.size()) sent += taken = server.send(piece);
    stuck.set_value();
    server.set_patience(std::chrono::seconds(30));
    while (sent < (64u << 20)) sent += server.send(std::string_view(piece).substr(0, (64u << 20) - sent));
    server.rest();
  });
  client.send(kGet);
  stuck.get_future().wait();
  EXPECT_LT(sent, 32u << 20);
  client.head();
  EXPECT_EQ(client.exactly(64u << 20).size(), 64u << 20);
}

TEST_F(Http1Test, AClientIsNotReadFasterThanTheServerReads) {
  std::promise<void> go;
  Pipe client = connect([&](Pipe& server) {
    server.head();
    go.get_future().wait();
    server.exactly(64u << 20);
    server.send(kOk);
  });
  client.send("POST / HTTP/1.1\r\nHost: good.test\r\nContent-Length: 67108864\r\n\r\n");
  client.set_patience(std::chrono::milliseconds(500));
  const std::string body(64u << 20, 'x');
  const std::size_t sent = client.send(body);
  EXPECT_LT(sent, 32u << 20);
  go.set_value();
  client.set_patience(std::chrono::seconds(30));
  EXPECT_EQ(client.send(std::string_view(body).substr(sent)), body.size() - sent);
  EXPECT_EQ(client.response(), kOk);
}

TEST_F(Http1Test, AServerThatClosesEarlyOrSpeaksNonsenseIsABadGateway) {
  for (const std::string answer : {"", "HTTP/1.1 2", "\x15\x03\x01", "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
                                   "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"}) {
    Pipe client = connect([&answer](Pipe& server) {
      server.head();
      server.send(answer);
    });
    client.send(kGet);
    EXPECT_TRUE(client.rest().starts_with("HTTP/1.1 502 Bad Gateway\r\n")) << answer;
    world_->end();
    upstream_->end();
  }
}

TEST_F(Http1Test, AnAnswerBeforeTheRequestIsAllSentEndsTheConnection) {
  Pipe client = connect([](Pipe& server) {
    server.head();
    server.send("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n");
  });
  client.send("POST / HTTP/1.1\r\nHost: good.test\r\nContent-Length: 1000000\r\n\r\nsome");
  EXPECT_TRUE(client.rest().starts_with("HTTP/1.1 413 "));
}

TEST_F(Http1Test, AHeadThatTakesTooLongIsNotWaitedFor) {
  ProxyLimits limits;
  limits.head = std::chrono::milliseconds(50);
  Pipe client = connect(noting(heard_), limits);
  client.send("GET / HTTP/1.1\r\nHo");
  EXPECT_TRUE(client.rest().starts_with("HTTP/1.1 408 "));
  EXPECT_EQ(upstream_->connections(), 0);
  ASSERT_EQ(world_->log().size(), 1u);
  EXPECT_EQ(world_->log().front().status, 408u);
}

TEST_F(Http1Test, AClientThatAsksForNothingMoreIsLetGo) {
  ProxyLimits limits;
  limits.idle = std::chrono::milliseconds(50);
  Pipe client = connect(noting(heard_), limits);
  client.send(kGet);
  EXPECT_EQ(client.rest(), kOk);
}

TEST_F(Http1Test, AServerThatNeverAnswersDoesNotOutliveItsClientForLong) {
  ProxyLimits limits;
  limits.half_closed = std::chrono::milliseconds(50);
  Pipe client = connect([](Pipe& server) { server.rest(); }, limits);
  client.send(kGet);
  client.half_close();
  EXPECT_EQ(client.rest(), "");
  upstream_->end();  // it was closed, too
}

TEST_F(Http1Test, KeepsFieldsForTheProxyFromTheServer) {
  Pipe client = connect(noting(heard_));
  client.send(
      "GET / HTTP/1.1\r\nHost: good.test\r\nProxy-Authorization: Basic c2VjcmV0\r\nConnection: X-Mine, Host\r\n"
      "X-Mine: 1\r\nKeep-Alive: 5\r\nX-Yours: 2\r\n\r\n");
  client.response();
  EXPECT_EQ(heard_.all(), "GET / HTTP/1.1\r\nHost: good.test\r\nX-Yours: 2\r\n\r\n");
}

TEST_F(Http1Test, LogsNeitherQueryNorUser) {
  Pipe client = connect(noting(heard_));
  client.send("GET /a?token=secret HTTP/1.1\r\nHost: good.test\r\nAuthorization: secret\r\n\r\n");
  client.response();
  client.send("GET http://me:secret@good.test/ HTTP/1.1\r\nHost: good.test\r\n\r\n");
  client.rest();
  world_->end();
  ASSERT_FALSE(world_->log().empty());
  for (const auto& record : world_->log()) {
    EXPECT_EQ((record.url_path + record.reason + record.method + record.host).find("secret"), std::string::npos);
  }
  EXPECT_EQ(world_->log().front().url_path, "/a");
  EXPECT_EQ(world_->log().front().status, 200u);
  EXPECT_EQ(world_->log().front().received, 2u);
}

TEST_F(Http1Test, LogsWhatIsMalformedWithoutItsSecrets) {
  world_ = std::make_unique<World>();
  for (const char* request : {
           "GET http://me:secret@good.test/?secret HTTP/1.1\r\nHost: good.test\r\n\r\n",
           "CONNECT me:secret@good.test:443 HTTP/1.1\r\n\r\n",
           "GET secret@good.test HTTP/1.1\r\nHost: good.test\r\n\r\n",
           "GET http://good.test/ HTTP/1.1\r\nHost: me:secret@good.test\r\n\r\n",
           "GET http://good.test/ HTTP/1.1\r\nHost: good.test\r\nsecret\r\n\r\n",
       }) {
    Pipe client = world_->forward();
    client.send(request);
    EXPECT_TRUE(client.rest().starts_with("HTTP/1.1 400 ")) << request;
    const netlog::Record record = world_->log().back();
    EXPECT_EQ(record.host, "host.docker.internal");
    EXPECT_EQ(record.port, 3128);
    EXPECT_EQ(record.rule, "<well-formed>");
    EXPECT_EQ(record.status, 400u);
    EXPECT_EQ((record.url_path + record.reason + record.method).find("secret"), std::string::npos) << request;
  }
  EXPECT_EQ(world_->log().size(), 5u);
}

TEST_F(Http1Test, AMalformedRequestIsLoggedWithTheHostThatItWasFor) {
  Pipe client = connect(noting(heard_));
  client.send(kGet);
  client.response();
  client.send("POST /upload?secret HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(client.rest().starts_with("HTTP/1.1 400 "));
  const netlog::Record record = world_->log().back();
  EXPECT_EQ(record.host + " " + record.method + " " + record.url_path, "good.test POST /upload");
  EXPECT_FALSE(record.allowed);
}

TEST_F(Http1Test, ABrokenChunkAmongGoodOnesIsTheEnd) {
  Pipe client = connect([](Pipe& server) {
    server.head();
    server.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcX\r\n3\r\ndef\r\n0\r\n\r\n");
  });
  client.send(kGet);
  EXPECT_EQ(body_of(client.rest()), "3\r\nabc\r\n");
}

}  // namespace
}  // namespace sbx::proxy
