// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>

#include "blobs/message.h"
#include "digest/sha256.h"
#include "proxy/http1.h"
#include "proxy/world.h"

namespace sbx::proxy {
namespace {

using testing::Edits;
using testing::Heard;
using testing::memory_file;
using testing::Pipe;
using testing::TestServer;
using testing::World;

const std::string kBlob = "the content of a blob";
const std::string kDigest = digest::sha256_of(kBlob);
const std::string kPath = "/v2/team/app/blobs/sha256:" + kDigest;

std::string blob_request(const std::string& path, const std::string& fields = "") {
  return "GET " + path + " HTTP/1.1\r\nHost: good.test\r\n" + fields + "\r\n";
}
std::string whole(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}
// What a server answers that knows parts, or does not.
std::string first_byte_of(const std::string& body) {
  return "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-0/" + std::to_string(body.size()) +
         "\r\nContent-Length: 1\r\n\r\n" + body.substr(0, 1);
}
std::string redirect(const std::string& to) {
  return "HTTP/1.1 307 Temporary Redirect\r\nLocation: " + to + "\r\nContent-Length: 0\r\n\r\n";
}
bool asks_for_a_part(const std::string& head) { return head.find("Range: bytes=0-0\r\n") != std::string::npos; }
std::string content_of(const std::string& answer) { return answer.substr(answer.find("\r\n\r\n") + 4); }

// A cache in memory, on the loop of the world's proxy. What it is sent is kept as it is: the digest is the real one's
// business.
class FakeCache final : public BlobCache {
 public:
  Ticket find(const blobs::BlobId& id, OnFound done) override {
    const std::string key = id.origin + " " + id.digest;
    asked.push_back(key);
    Found found;
    if (const auto it = kept.find(key); it != kept.end()) {
      found = {memory_file(it->second), it->second.size(), nullptr};
    } else {
      auto pair = *make_socket_pair();
      (void)set_nonblocking(pair.theirs);
      copies[key] = std::move(pair.ours);
      found.copy = std::make_unique<streams::SocketStream>(*loop, std::move(pair.theirs));
    }
    loop->later([done = std::move(done), box = std::make_shared<Found>(std::move(found))] { done(std::move(*box)); });
    return 1;
  }
  void cancel(Ticket) override {}
  void finish(std::unique_ptr<streams::Stream> copy) override {
    copy->finish();
    ++finished;
  }

  loop::Loop* loop = nullptr;
  std::map<std::string, std::string> kept;
  std::map<std::string, Fd> copies;
  std::vector<std::string> asked;
  int finished = 0;
};

class Http1BlobTest : public ::testing::Test {
 protected:
  Pipe connect(TestServer::Script script, const Edits& edits = {}) {
    world_ = std::make_unique<World>(edits, ProxyLimits{}, &cache_);
    world_->on_loop([this] { cache_.loop = &world_->loop(); });
    upstream_ = std::make_unique<TestServer>(std::move(script));
    world_->serve(80, *upstream_);
    return world_->captured("good.test:80");
  }
  void TearDown() override {
    if (world_) world_->end();
  }
  void keep(const std::string& origin = "http://good.test:80") { cache_.kept[origin + " " + kDigest] = kBlob; }
  // What was sent to the cache for the blob, when all is over.
  std::string copied() {
    std::string bytes;
    int finished = 0;
    world_->on_loop([&] { finished = cache_.finished; });
    world_->end();
    for (auto& [key, socket] : cache_.copies) bytes += *read_all(socket, 1u << 20);
    return finished == 1 ? bytes : bytes + " (not finished)";
  }

  FakeCache cache_;
  Heard heard_;
  std::unique_ptr<TestServer> upstream_;
  std::unique_ptr<World> world_;
};

TEST_F(Http1BlobTest, WhatIsNotThereIsCopiedOnItsWay) {
  Pipe client = connect([this](Pipe& server) {
    heard_.add(server.head());
    server.send(whole(kBlob));
  });
  client.send(blob_request(kPath));
  EXPECT_EQ(content_of(client.response()), kBlob);
  EXPECT_TRUE(heard_.all().starts_with("GET " + kPath));
  EXPECT_EQ(copied(), blobs::size_prefix(kBlob.size()) + kBlob);
}

TEST_F(Http1BlobTest, WhatIsThereComesFromHereIfTheRegistryLetsThisClientHaveIt) {
  keep();
  Pipe client = connect([this](Pipe& server) {
    heard_.add(server.head());
    server.send(first_byte_of(kBlob));
  });
  client.send(blob_request(kPath, "Authorization: Bearer own\r\n"));
  const std::string answer = client.response();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200"));
  EXPECT_EQ(content_of(answer), kBlob);
  EXPECT_TRUE(heard_.all().starts_with("GET " + kPath));
  EXPECT_TRUE(asks_for_a_part(heard_.all()));
  EXPECT_NE(heard_.all().find("Authorization: Bearer own\r\n"), std::string::npos);
  const auto log = world_->log();
  EXPECT_EQ(log.back().status, 200);
  EXPECT_EQ(log.back().method, "GET");
}

TEST_F(Http1BlobTest, ARegistryThatKnowsNoPartsAllowsItByBeginningToSendAllOfIt) {
  keep();
  Pipe client = connect([](Pipe& server) {
    server.head();
    server.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(kBlob.size()) + "\r\n\r\n");
  });
  client.send(blob_request(kPath));
  EXPECT_EQ(content_of(client.response()), kBlob);
}

TEST_F(Http1BlobTest, WhatTheRegistryRefusesIsRefused) {
  keep();
  Pipe client = connect([](Pipe& server) {
    server.head();
    server.send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 12\r\nConnection: close\r\n\r\nwho are you?");
  });
  client.send(blob_request(kPath));
  const std::string answer = client.response();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 401"));
  EXPECT_EQ(content_of(answer), "who are you?");
}

TEST_F(Http1BlobTest, ABlobOfAnotherSizeIsAnother) {
  keep();
  Pipe client = connect([](Pipe& server) {
    server.head();
    server.send(whole("new"));
  });
  client.send(blob_request(kPath));
  EXPECT_EQ(content_of(client.response()), "new");
}

// A page for logging in is seldom as long as the blob; one that does not say how long it is might be.
TEST_F(Http1BlobTest, AnAnswerThatDoesNotSayHowLongItIsIsNotTheBlob) {
  keep();
  Pipe client = connect([](Pipe& server) {
    server.head();
    server.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nnew\r\n0\r\n\r\n");
  });
  client.send(blob_request(kPath, "Connection: close\r\n"));
  EXPECT_NE(client.rest().find("new"), std::string::npos);
}

class AnswerAboutParts : public Http1BlobTest, public ::testing::WithParamInterface<std::string> {};

TEST_P(AnswerAboutParts, IsNotPassedToAClientThatHasAskedForAllOfIt) {
  keep();
  Pipe client = connect([](Pipe& server) {
    for (std::string head = server.head(); !head.empty(); head = server.head())
      server.send(asks_for_a_part(head) ? GetParam() : whole("new"));
  });
  client.send(blob_request(kPath));
  EXPECT_EQ(content_of(client.response()), "new");
}

INSTANTIATE_TEST_SUITE_P(
    Http1, AnswerAboutParts,
    ::testing::Values(first_byte_of("new"), "HTTP/1.1 206 Partial Content\r\nContent-Length: 1\r\n\r\nn",
                      "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-0/*\r\nContent-Length: 1\r\n\r\nn",
                      "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */0\r\nContent-Length: 0\r\n\r\n"));

TEST_F(Http1BlobTest, ABlobOfAnotherRegistryIsNotServed) {
  keep("http://other.test:80");
  Pipe client = connect([](Pipe& server) {
    server.head();
    server.send(whole("mine"));
  });
  client.send(blob_request(kPath));
  EXPECT_EQ(content_of(client.response()), "mine");
}

// A registry, which redirects all its clients to store.test, which does with them what the script says.
class RedirectedBlobTest : public Http1BlobTest {
 protected:
  std::string fetched_from_store(TestServer::Script store, const std::string& at = "store.test") {
    keep();
    Pipe client = connect([this, store = std::move(store), at](Pipe& server) {
      if (const std::string head = server.head(); head.starts_with("GET /v2/"))
        server.send(redirect("http://" + at + "/x?sig=1"));
      else
        heard_.add(head), store(server);
    });
    client.send(blob_request(kPath));
    EXPECT_TRUE(client.response().starts_with("HTTP/1.1 307"));
    return fetch(at, "/x?sig=1");
  }
  std::string fetch(const std::string& host, const std::string& path) {
    Pipe pipe = world_->captured(host + ":80");
    pipe.send("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    return content_of(pipe.response());
  }
};

TEST_F(RedirectedBlobTest, ComesFromHereIfTheServerThereLetsThisClientHaveIt) {
  EXPECT_EQ(fetched_from_store([](Pipe& server) { server.send(first_byte_of(kBlob)); }), kBlob);
  EXPECT_TRUE(asks_for_a_part(heard_.all()));
}

TEST_F(RedirectedBlobTest, APageForLoggingInIsNoLeave) {
  EXPECT_EQ(fetched_from_store([](Pipe& server) { server.send(whole("who are you?")); }), "who are you?");
}

TEST_F(RedirectedBlobTest, IsExpectedAtThatAddressAloneAndOnce) {
  const auto store = [](Pipe& server) { server.send(first_byte_of(kBlob)); };
  EXPECT_EQ(fetched_from_store(store), kBlob);
  EXPECT_EQ(fetch("store.test", "/x?sig=1"), kBlob.substr(0, 1));
  EXPECT_EQ(fetch("store.test", "/x?sig=2"), kBlob.substr(0, 1));
}

// The registry has not chosen where that leads: the client may own the host.
TEST_F(RedirectedBlobTest, AFurtherRedirectIsFollowedByTheClientAlone) {
  EXPECT_EQ(fetched_from_store([](Pipe& server) { server.send(redirect("http://own.test/x")); }), "");
  EXPECT_EQ(fetch("own.test", "/x"), "");
  EXPECT_FALSE(asks_for_a_part(heard_.all().substr(heard_.all().find("Host: own.test"))));
}

TEST_F(Http1BlobTest, WhatIsFetchedFromWhereTheRegistryRedirectsToIsCopied) {
  Pipe client = connect([](Pipe& server) {
    if (server.head().starts_with("GET /v2/"))
      server.send(redirect("http://store.test/x?sig=1"));
    else
      server.send(whole(kBlob));
  });
  client.send(blob_request(kPath));
  EXPECT_TRUE(client.response().starts_with("HTTP/1.1 307"));
  Pipe elsewhere = world_->captured("store.test:80");
  elsewhere.send("GET /x?sig=1 HTTP/1.1\r\nHost: store.test\r\n\r\n");
  EXPECT_EQ(content_of(elsewhere.response()), kBlob);
  EXPECT_EQ(copied(), blobs::size_prefix(kBlob.size()) + kBlob);
}

TEST_F(Http1BlobTest, APartOfABlobIsNotAsked) {
  keep();
  Pipe client = connect([](Pipe& server) {
    server.head();
    server.send(whole("part"));
  });
  client.send(blob_request(kPath, "Range: bytes=3-\r\n"));
  EXPECT_EQ(content_of(client.response()), "part");
  EXPECT_TRUE(cache_.asked.empty());
}

// It would be for another page of the registry's host, whose answer the client may choose.
TEST_F(Http1BlobTest, APathThatIsNoNameOfARepositoryIsNotAsked) {
  Pipe client = connect([](Pipe& server) {
    for (std::string head = server.head(); !head.empty(); head = server.head()) server.send(whole("page"));
  });
  const std::string blob = "/blobs/sha256:" + kDigest;
  for (const std::string name :
       {"../login", "a/../b", "a?next=https://own.test", "a%2fb", "A", "a//b", "a/", "/a", ".a"}) {
    client.send(blob_request("/v2/" + name + blob));
    EXPECT_EQ(content_of(client.response()), "page") << name;
  }
  EXPECT_TRUE(cache_.asked.empty());
}

TEST_F(Http1BlobTest, FieldsThatMayChangeTheAnswerAreNotForTheCache) {
  keep();
  Pipe client = connect([](Pipe& server) {
    server.head();
    server.send(redirect("https://own.test/login"));
  });
  client.send(blob_request(kPath, "X-Forwarded-Host: own.test\r\n"));
  EXPECT_TRUE(client.response().starts_with("HTTP/1.1 307"));
  EXPECT_TRUE(cache_.asked.empty());
}

TEST_F(Http1BlobTest, WhatIsBrokenOffIsNotFinished) {
  Pipe client = connect([](Pipe& server) {
    server.head();
    server.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfive.");
  });
  client.send(blob_request(kPath));
  EXPECT_EQ(content_of(client.rest()), "five.");
  EXPECT_TRUE(copied().ends_with("five. (not finished)"));
}

TEST_F(Http1BlobTest, TheConnectionTakesMoreRequests) {
  keep();
  Pipe client = connect([](Pipe& server) {
    for (std::string head = server.head(); !head.empty(); head = server.head())
      server.send(asks_for_a_part(head) ? first_byte_of(kBlob) : whole("other"));
  });
  client.send(blob_request(kPath) + blob_request("/other"));
  EXPECT_EQ(content_of(client.response()), kBlob);
  EXPECT_EQ(content_of(client.response()), "other");
  client.send(blob_request(kPath));
  EXPECT_EQ(content_of(client.response()), kBlob);
}

TEST_F(Http1BlobTest, ALargeBlobIsSentAsTheClientReads) {
  const std::string large(3u << 20, 'x');
  cache_.kept["http://good.test:80 " + kDigest] = large;
  Pipe client = connect([&large](Pipe& server) {
    server.head();
    server.send(first_byte_of(large));
  });
  client.send(blob_request(kPath, "Connection: close\r\n"));
  EXPECT_EQ(content_of(client.rest()).size(), large.size());
}

TEST_F(Http1BlobTest, ANewPolicyEndsOneThatIsBeingSent) {
  const std::string large(32u << 20, 'x');
  cache_.kept["http://good.test:80 " + kDigest] = large;
  Pipe client = connect([&large](Pipe& server) {
    server.head();
    server.send(first_byte_of(large));
  });
  client.send(blob_request(kPath));
  client.head();
  world_->change({{"block-host", "good.test"}});
  EXPECT_LT(client.rest().size(), large.size());
}

TEST_F(Http1BlobTest, AServerThatDoesNotAnswerTheQuestionIsSaidToTheClient) {
  keep();
  Pipe client = connect([](Pipe& server) { server.head(); });
  client.send(blob_request(kPath));
  const std::string answer = client.response();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 502"));
  EXPECT_NE(content_of(answer), "");
}

}  // namespace
}  // namespace sbx::proxy
