// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/http2.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <set>

#include "proxy/http2_end.h"
#include "proxy/world.h"

namespace sbx::proxy {
namespace {

using testing::Edits;
using testing::Heard;
using testing::Http2End;
using testing::Issued;
using testing::Pipe;
using testing::Secure;
using testing::TestServer;
using testing::World;

using Role = Http2End::Role;

// A server of HTTP/2 behind port 443 of every name.
class Http2Test : public ::testing::Test {
 protected:
  explicit Http2Test(const ProxyLimits& limits = {}) : world_({}, limits) {}

  using OnEvent = std::function<void(Http2End& server, std::int32_t stream)>;

  void serve(OnEvent on_event) {
    certificate_ = world_.issuer().issue("DNS:good.test");
    upstream_ = std::make_unique<TestServer>(
        [on_event = std::move(on_event)](Pipe& pipe) {
          Http2End server(pipe, Role::kServer);
          server.keep_bodies = false;
          server.on_event = [&](std::int32_t stream) { on_event(server, stream); };
          while (server.step()) {
          }
        },
        Secure{&certificate_, {"h2"}});
    world_.serve(443, *upstream_);
  }
  // To each finished request, its path.
  void serve_paths() {
    serve([this](Http2End& server, std::int32_t stream) {
      if (!server.streams[stream].ended) return;
      heard_.add(server.streams[stream].field(":path") + " ");
      server.answer(stream, {{":status", "200"}});
      server.push(stream, server.streams[stream].field(":path"), true);
    });
  }
  Pipe connect() {
    Pipe pipe = world_.secure("good.test", {"h2", "http/1.1"});
    EXPECT_EQ(pipe.protocol(), "h2");
    return pipe;
  }
  void TearDown() override { world_.end(); }

  Heard heard_;
  Issued certificate_;
  std::unique_ptr<TestServer> upstream_;  // ends after the world has
  World world_;
};

class Http2IdleTest : public Http2Test {
 protected:
  Http2IdleTest() : Http2Test(little_patience()) {}

 private:
  static ProxyLimits little_patience() {
    ProxyLimits limits;
    limits.idle = limits.last_words = std::chrono::milliseconds(50);
    return limits;
  }
};

TEST_F(Http2Test, ServesStreamsSideBySideOverOneConnection) {
  serve_paths();
  Pipe pipe = connect();
  Http2End client(pipe, Role::kClient);
  std::map<std::int32_t, std::string> asked;
  for (const char* path : {"/a", "/b", "/c"}) asked[client.ask(Http2End::request("GET", path))] = path;
  for (const auto& [stream, path] : asked) {
    EXPECT_EQ(client.finished(stream).body, path);
    EXPECT_EQ(client.streams[stream].field(":status"), "200");
  }
  EXPECT_EQ(upstream_->connections(), 1);
}

TEST_F(Http2Test, AClientOfHttp11GetsHttp11) {
  Issued certificate = world_.issuer().issue("DNS:good.test");
  TestServer upstream(noting(heard_), Secure{&certificate, {"h2", "http/1.1"}});
  world_.serve(443, upstream);
  Pipe pipe = world_.secure("good.test", {"http/1.1"});
  EXPECT_EQ(pipe.protocol(), "http/1.1");
  pipe.send("GET / HTTP/1.1\r\nHost: good.test\r\n\r\n");
  EXPECT_NE(pipe.response().find("ok"), std::string::npos);
  world_.end();
}

TEST_F(Http2Test, AServerOfHttp11MakesTheClientSpeakIt) {
  Issued certificate = world_.issuer().issue("DNS:good.test");
  TestServer upstream(noting(heard_), Secure{&certificate, {"http/1.1"}});
  world_.serve(443, upstream);
  Pipe pipe = world_.secure("good.test", {"h2", "http/1.1"});
  EXPECT_EQ(pipe.protocol(), "http/1.1");
  world_.end();
}

// As gRPC does it.
TEST_F(Http2Test, StreamsBothWaysAtOnceAndPassesTrailers) {
  std::set<std::int32_t> begun;
  std::map<std::int32_t, std::size_t> seen;
  serve([&](Http2End& server, std::int32_t stream) {
    server.keep_bodies = true;
    if (begun.insert(stream).second) server.answer(stream, {{":status", "200"}, {"content-type", "application/grpc"}});
    const auto& message = server.streams[stream];
    const std::string fresh = message.body.substr(std::exchange(seen[stream], message.body.size()));
    server.push(stream, fresh, message.ended, message.ended ? http::Headers{{"grpc-status", "0"}} : http::Headers{});
  });
  Pipe pipe = connect();
  Http2End client(pipe, Role::kClient);
  auto headers = Http2End::request("POST", "/pkg.Service/Chat");
  headers.emplace_back("te", "trailers");
  const auto stream = client.ask(headers, false);
  std::string said;
  for (const char* word : {"one", "two", "three"}) {
    said += word;
    client.push(stream, word);
    EXPECT_TRUE(client.until([&] { return client.streams[stream].body == said; })) << word;  // before the next is said
  }
  client.push(stream, "", true);
  EXPECT_EQ(client.finished(stream).trailer("grpc-status"), "0");
}

TEST_F(Http2Test, PassesTrailersOfARequest) {
  serve([](Http2End& server, std::int32_t stream) {
    if (!server.streams[stream].ended) return;
    server.answer(stream, {{":status", "200"}});
    server.push(stream, server.streams[stream].trailer("x-sum"), true);
  });
  Pipe pipe = connect();
  Http2End client(pipe, Role::kClient);
  const auto stream = client.ask(Http2End::request("POST"), false);
  client.push(stream, "body", true, {{"x-sum", "42"}});
  EXPECT_EQ(client.finished(stream).body, "42");
}

TEST_F(Http2Test, BigBodiesTakeNoMemoryEvenForASlowReader) {
  constexpr std::size_t kSize = 192u << 20;
  serve([](Http2End& server, std::int32_t stream) {
    if (!server.streams[stream].ended) return;
    server.answer(stream, {{":status", "200"}});
    server.push_zeros(stream, kSize);
  });
  Pipe pipe = connect();
  Http2End client(pipe, Role::kClient, 8u << 10);  // always behind
  client.keep_bodies = false;
  const auto stream = client.ask(Http2End::request());
  client.until([&] { return client.streams[stream].body_size > (8u << 20); });
  const std::size_t before = testing::resident_bytes();
  std::size_t most = 0;
  client.until([&] {
    most = std::max(most, testing::resident_bytes());
    return client.streams[stream].ended;
  });
  EXPECT_EQ(client.streams[stream].body_size, kSize);
  EXPECT_LT(most, before + kSize / 2);
}

TEST_F(Http2Test, UploadsAreNotHoarded) {
  constexpr std::size_t kSize = 512u << 20;
  serve([](Http2End& server, std::int32_t stream) {
    if (!server.streams[stream].ended) return;
    server.answer(stream, {{":status", "200"}, {"x-size", std::to_string(server.streams[stream].body_size)}}, true);
  });
  Pipe pipe = connect();
  Http2End client(pipe, Role::kClient);
  const auto stream = client.ask(Http2End::request("PUT"), false);
  const std::size_t before = testing::resident_bytes();
  client.push_zeros(stream, kSize);
  std::size_t most = 0;
  client.until([&] {
    most = std::max(most, testing::resident_bytes());
    return client.streams[stream].ended;
  });
  EXPECT_EQ(client.streams[stream].field("x-size"), std::to_string(kSize));
  EXPECT_LT(most, before + kSize / 2);
}

// Each of them leaves a window's worth of bytes behind that nobody will ever read.
TEST_F(Http2Test, StreamsThatAreGivenUpDoNotUseUpTheConnection) {
  serve([](Http2End& server, std::int32_t stream) {
    if (!server.streams[stream].ended) return;
    server.answer(stream, {{":status", "200"}});
    server.push_zeros(stream, 1u << 20);
  });
  Pipe pipe = connect();
  Http2End client(pipe, Role::kClient);
  client.keep_bodies = false;
  for (int i = 0; i < 60; ++i) {
    const auto stream = client.ask(Http2End::request());
    client.until([&] { return client.streams[stream].body_size != 0; });
    client.reset(stream);
  }
  const auto last = client.ask(Http2End::request());
  EXPECT_EQ(client.finished(last).body_size, 1u << 20);
}

TEST_F(Http2Test, ARefusedRequestIsExplainedAndTheOthersGoOn) {
  serve_paths();
  Pipe pipe = connect();
  Http2End client(pipe, Role::kClient);
  const auto bad = client.ask(Http2End::request("GET", "/", "evil.test"));
  const auto good = client.ask(Http2End::request("GET", "/ok"));
  EXPECT_EQ(client.finished(bad).field(":status"), "403");
  EXPECT_NE(client.finished(bad).body.find("the request names another host"), std::string::npos);
  EXPECT_EQ(client.finished(good).body, "/ok");
  EXPECT_EQ(heard_.all(), "/ok ");
}

TEST_F(Http2Test, ARefusedHostIsExplainedToAClientOfHttp2Only) {
  World world(Edits{{"policy", "deny"}});
  Pipe pipe = world.secure("good.test", {"h2"});
  EXPECT_EQ(pipe.protocol(), "h2");
  Http2End client(pipe, Role::kClient);
  const auto stream = client.ask(Http2End::request());
  EXPECT_EQ(client.finished(stream).field(":status"), "403");
  EXPECT_NE(client.streams[stream].body.find("--allow-host good.test\n"), std::string::npos);
}

TEST_F(Http2Test, AServerThatGoesAwayFinishesWhatItBegan) {
  serve([](Http2End& server, std::int32_t stream) {
    if (!server.streams[stream].ended) return;
    server.answer(stream, {{":status", "200"}});
    server.push(stream, "last words", true);
    server.go_away();
  });
  Pipe pipe = connect();
  Http2End client(pipe, Role::kClient);
  const auto stream = client.ask(Http2End::request());
  const auto& message = client.finished(stream);
  EXPECT_EQ(message.body, "last words") << message.field(":status") << " " << message.ended << " "
                                        << message.closed.value_or(999);
}

TEST_F(Http2Test, AServerThatIsCutOffLeavesNoStreamThatLooksComplete) {
  serve([](Http2End& server, std::int32_t stream) {
    server.answer(stream, {{":status", "200"}});
    server.push(stream, "half");
    server.cut_off();
  });
  Pipe pipe = connect();
  Http2End client(pipe, Role::kClient);
  const auto stream = client.ask(Http2End::request());
  const auto& message = client.finished(stream);
  EXPECT_FALSE(message.ended);
  EXPECT_NE(message.closed.value_or(1), 0u);
}

TEST_F(Http2Test, AResetOfTheServersReachesTheClient) {
  serve([](Http2End& server, std::int32_t stream) { server.reset(stream, NGHTTP2_ENHANCE_YOUR_CALM); });
  Pipe pipe = connect();
  Http2End client(pipe, Role::kClient);
  const auto stream = client.ask(Http2End::request());
  EXPECT_EQ(client.finished(stream).closed, NGHTTP2_ENHANCE_YOUR_CALM);
}

TEST_F(Http2IdleTest, AConnectionWithoutStreamsIsTakenLeaveOfOnBothSides) {
  serve_paths();
  Pipe pipe = connect();
  Http2End client(pipe, Role::kClient);
  EXPECT_EQ(client.finished(client.ask(Http2End::request("GET", "/one"))).field(":status"), "200");
  while (client.step()) {
  }
  EXPECT_TRUE(client.told_to_leave);
  upstream_->end();  // it was closed, too
}

// The end of a connection that began later and has no stream tells that the time is over.
TEST_F(Http2IdleTest, AStreamThatGoesOnIsNotIdle) {
  std::promise<void> released;
  auto release = released.get_future().share();
  serve([&](Http2End& server, std::int32_t stream) {
    if (!server.streams[stream].ended) return;
    release.wait();
    server.answer(stream, {{":status", "200"}});
    server.push(stream, "late", true);
  });
  Pipe busy_pipe = connect();
  Http2End busy(busy_pipe, Role::kClient);
  const auto stream = busy.ask(Http2End::request());
  while (world_.dials().size() < 1 || world_.log().empty()) busy.flush();
  Pipe idle_pipe = connect();
  Http2End idle(idle_pipe, Role::kClient);
  while (idle.step()) {
  }
  EXPECT_TRUE(idle.told_to_leave);
  released.set_value();
  EXPECT_EQ(busy.finished(stream).field(":status"), "200");
}

// A server of HTTP/2 in the clear, behind port 80 of every name.
class ClearHttp2Test : public Http2Test {
 protected:
  void SetUp() override {
    upstream_ = std::make_unique<TestServer>([this](Pipe& pipe) {
      Http2End server(pipe, Role::kServer);
      server.on_event = [&](std::int32_t stream) {
        const auto& message = server.streams[stream];
        if (!message.ended) return;
        heard_.add(message.field(":scheme") + "://" + message.field(":authority") + message.field(":path") + " ");
        server.answer(stream, {{":status", "200"}});
        server.push(stream, message.body, true, {{"grpc-status", "0"}});
      };
      while (server.step()) {
      }
    });
    world_.serve(80, *upstream_);
  }
  static http::Headers request(const std::string& host, const std::string& scheme = "http") {
    return {{":method", "POST"}, {":scheme", scheme}, {":authority", host}, {":path", "/service/Method"}};
  }
  static std::string status_of(Pipe& pipe, const http::Headers& headers) {
    Http2End client(pipe, Role::kClient);
    const auto stream = client.ask(headers, false);
    client.push(stream, "message", true);
    const auto& answer = client.finished(stream);
    return answer.field(":status") + answer.trailer("grpc-status");
  }
};

TEST_F(ClearHttp2Test, IsServedAndInspected) {
  Pipe captured = world_.captured("good.test:80");
  EXPECT_EQ(status_of(captured, request("GOOD.test")), "2000");
  Pipe forward = world_.forward();
  forward.send("CONNECT good.test:80 HTTP/1.1\r\n\r\n");
  EXPECT_EQ(forward.head(), "HTTP/1.1 200 Connection established\r\n\r\n");
  EXPECT_EQ(status_of(forward, request("good.test:80")), "2000");
  EXPECT_EQ(heard_.all(), "http://good.test/service/Method http://good.test/service/Method ");
  EXPECT_EQ(world_.log().front().method + " " + world_.log().front().url_path, "POST /service/Method");
}

TEST_F(ClearHttp2Test, ARequestIsForTheHostOfTheConnection) {
  Pipe other_host = world_.captured("good.test:80");
  EXPECT_EQ(status_of(other_host, request("fine.test")), "403");
  Pipe other_scheme = world_.captured("good.test:80");
  EXPECT_EQ(status_of(other_scheme, request("good.test", "https")), "400");
  EXPECT_EQ(heard_.all(), "");
}

TEST_F(ClearHttp2Test, ARefusalIsReadable) {
  world_.change({{"block-host", "evil.test"}});
  Pipe pipe = world_.captured("evil.test:80");
  Http2End client(pipe, Role::kClient);
  const auto& answer = client.finished(client.ask(request("evil.test")));
  EXPECT_EQ(answer.field(":status"), "403");
  EXPECT_TRUE(answer.body.starts_with("Blocked by network policy: evil.test:80\n")) << answer.body;
  EXPECT_TRUE(world_.dials().empty());
  world_.resolve("nas.test", "192.168.1.5");
  Pipe private_pipe = world_.captured("nas.test:80");
  EXPECT_EQ(status_of(private_pipe, request("nas.test")), "403");
  EXPECT_EQ(heard_.all(), "");
}

TEST_F(ClearHttp2Test, AServerThatCannotBeReachedIsABadGateway) {
  Pipe pipe = world_.captured("good.test:81");
  EXPECT_EQ(status_of(pipe, request("good.test:81")), "502");
}

TEST_F(ClearHttp2Test, AChangeOfPolicyClosesItToo) {
  Pipe pipe = world_.captured("good.test:80");
  EXPECT_EQ(status_of(pipe, request("good.test")), "2000");
  world_.change({{"block-host", "good.test"}});
  EXPECT_EQ(pipe.rest().find("2000"), std::string::npos);  // it ends
}

TEST_F(Http2Test, AChangeOfPolicyClosesIt) {
  serve_paths();
  Pipe pipe = connect();
  Http2End client(pipe, Role::kClient);
  client.finished(client.ask(Http2End::request()));
  world_.change({{"block-host", "good.test"}});
  while (client.step()) {
  }
  EXPECT_EQ(world_.connections(), 0u);
}

TEST_F(Http2Test, LogsEachRequest) {
  serve_paths();
  Pipe pipe = connect();
  Http2End client(pipe, Role::kClient);
  client.finished(client.ask(Http2End::request("GET", "/a?secret=1")));
  world_.end();
  const auto log = world_.log();
  ASSERT_EQ(log.size(), 1u);
  EXPECT_EQ(log[0].url_path, "/a");
  EXPECT_EQ(log[0].status, 200u);
  EXPECT_EQ(log[0].received, 11u);
}

}  // namespace
}  // namespace sbx::proxy
