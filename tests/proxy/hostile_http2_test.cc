// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "proxy/http2_end.h"
#include "proxy/world.h"

// What a hostile program may do over HTTP/2, inside inspected TLS to good.test:443.
namespace sbx::testing {
namespace {

using namespace std::string_literals;
using http::Headers;

struct Fate {
  std::string status;       // of the answer; empty: the stream is reset, or the connection closed
  std::string server_gets;  // the authority and the path; empty: nothing
};

struct HostileHead {
  const char* name;
  Headers headers;
  Fate fate;
};

void PrintTo(const HostileHead& hostile, std::ostream* out) { *out << hostile.name; }

Fate refused_stream(int status) { return {std::to_string(status), ""}; }
Fate reset() { return {"", ""}; }
Fate passed() { return {"200", "good.test/"}; }

Headers with(Headers more, Headers headers = Http2End::request()) {
  headers.insert(headers.end(), more.begin(), more.end());
  return headers;
}
Headers to(const std::string& authority) { return Http2End::request("GET", "/", authority); }

const std::vector<HostileHead> kTable = {
    {"OtherAuthority", to("evil.test"), refused_stream(403)},
    {"OtherAllowedAuthority", to("fine.test"), refused_stream(403)},
    {"OtherPort", to("good.test:80"), refused_stream(403)},
    {"UsualPort", to("good.test:443"), passed()},
    {"CapitalsAndADot", to("GOOD.test."), passed()},
    {"UserInTheAuthority", to("me@good.test"), refused_stream(400)},
    {"AddressAsAuthority", to("203.0.113.7"), refused_stream(403)},
    {"EmptyAuthority", to(""), reset()},
    {"OtherHost", with({{"host", "evil.test"}}), refused_stream(403)},
    {"SameHost", with({{"host", "good.test"}}), passed()},
    {"HostOnly", {{":method", "GET"}, {":scheme", "https"}, {":path", "/"}, {"host", "good.test"}}, passed()},
    {"OtherHostOnly",
     {{":method", "GET"}, {":scheme", "https"}, {":path", "/"}, {"host", "evil.test"}},
     refused_stream(403)},
    {"TwoHosts", with({{"host", "good.test"}, {"host", "evil.test"}}), reset()},
    {"NeitherHostNorAuthority", {{":method", "GET"}, {":scheme", "https"}, {":path", "/"}}, reset()},
    {"TwoAuthorities",
     {{":method", "GET"},
      {":scheme", "https"},
      {":authority", "good.test"},
      {":authority", "evil.test"},
      {":path", "/"}},
     reset()},
    {"Connect", {{":method", "CONNECT"}, {":authority", "evil.test:443"}}, refused_stream(400)},
    {"ConnectToTheSameHost", {{":method", "CONNECT"}, {":authority", "good.test:443"}}, refused_stream(400)},
    {"ExtendedConnect", with({{":protocol", "websocket"}}, Http2End::request("CONNECT")), reset()},
    {"SchemeHttp",
     {{":method", "GET"}, {":scheme", "http"}, {":authority", "good.test"}, {":path", "/"}},
     refused_stream(400)},
    {"NoScheme", {{":method", "GET"}, {":authority", "good.test"}, {":path", "/"}}, reset()},
    {"NoPath", {{":method", "GET"}, {":scheme", "https"}, {":authority", "good.test"}}, reset()},
    {"EmptyPath", Http2End::request("GET", ""), reset()},
    {"PathWithoutASlash", Http2End::request("GET", "evil"), reset()},
    {"AbsoluteUriAsPath", Http2End::request("GET", "http://evil.test/"), reset()},
    {"StarForGet", Http2End::request("GET", "*"), reset()},
    {"SpaceInThePath", Http2End::request("GET", "/ HTTP/1.1"), reset()},
    {"LineInThePath", Http2End::request("GET", "/\r\nEvil: 1"), reset()},
    {"FragmentInThePath", Http2End::request("GET", "/#a"), refused_stream(400)},
    {"SpaceInTheMethod", Http2End::request("GET /evil"), reset()},
    {"LineInTheMethod", Http2End::request("GET\r\nEvil: 1"), reset()},
    {"EmptyMethod", Http2End::request(""), reset()},
    {"PseudoFieldBehindAnother",
     {{":method", "GET"}, {":scheme", "https"}, {"x", "y"}, {":authority", "good.test"}, {":path", "/"}},
     reset()},
    {"UnknownPseudoField",
     with({{"x", "y"}}, {{":evil", "1"}, {":method", "GET"}, {":scheme", "https"}, {":path", "/"}}), reset()},
    {"StatusInARequest",
     {{":status", "200"}, {":method", "GET"}, {":scheme", "https"}, {":authority", "good.test"}, {":path", "/"}},
     reset()},
    {"SpaceInAName", with({{"x evil", "1"}}), reset()},
    {"ColonInAName", with({{"x:evil", "1"}}), reset()},
    {"LineInAName", with({{"x\r\nevil", "1"}}), reset()},
    {"LineInAValue", with({{"x", "a\r\nevil: 1"}}), reset()},
    {"LineFeedInAValue", with({{"x", "a\nevil: 1"}}), reset()},
    {"ZeroInAValue", with({{"x", "a\0b"s}}), reset()},
    {"Connection", with({{"connection", "close"}}), reset()},
    {"KeepAlive", with({{"keep-alive", "5"}}), reset()},
    {"TransferEncoding", with({{"transfer-encoding", "chunked"}}), reset()},
    {"Upgrade", with({{"upgrade", "websocket"}}), reset()},
    {"ProxyConnection", with({{"proxy-connection", "close"}}), reset()},
    {"OtherTe", with({{"te", "gzip"}}), reset()},
    {"TwoLengths", with({{"content-length", "0"}, {"content-length", "5"}}), reset()},
    {"SignedLength", with({{"content-length", "+0"}}), reset()},
    {"LengthWithoutABody", with({{"content-length", "5"}}), reset()},
    {"HeadOf80Kilobytes", with([] {
       Headers many;
       for (int i = 0; i < 20; ++i) many.emplace_back("x", std::string(4000, 'x'));
       return many;
     }()),
     reset()},
};

class HostileHttp2 : public ::testing::TestWithParam<HostileHead> {};

// A server of HTTP/2 that notes for whom each request is.
TestServer::Script noting_requests(Heard& heard) {
  return [&heard](Pipe& pipe) {
    Http2End server(pipe, Http2End::Role::kServer);
    server.on_event = [&](std::int32_t stream) {
      heard.add(server.streams[stream].field(":authority") + server.streams[stream].field(":path"));
      server.answer(stream, {{":status", "200"}}, true);
    };
    while (server.step()) {
    }
  };
}

TEST_P(HostileHttp2, MeetsItsFate) {
  Heard heard;
  World world(Edits{{"block-host", "evil.test"}});
  const Issued certificate = world.issuer().issue("DNS:good.test");
  TestServer upstream(noting_requests(heard), {&certificate, {"h2"}});
  world.serve(443, upstream);
  Pipe pipe = world.secure("good.test", {"h2"});
  Http2End client(pipe, Http2End::Role::kClient);
  const auto stream = client.ask(GetParam().headers);
  const std::string status = client.finished(stream).field(":status");
  world.end();
  upstream.end();
  EXPECT_EQ(status, GetParam().fate.status);
  EXPECT_EQ(heard.all(), GetParam().fate.server_gets);
  ASSERT_FALSE(world.log().empty()) << "a request that nobody hears of";
  EXPECT_EQ(world.log().front().status, status.empty() ? 0u : static_cast<unsigned>(std::stoi(status)));
  EXPECT_EQ(world.log().front().allowed, status == "200");
}

INSTANTIATE_TEST_SUITE_P(Table, HostileHttp2, ::testing::ValuesIn(kTable),
                         [](const auto& tested) { return std::string(tested.param.name); });

// Frames written by hand: nghttp2 would not.
class HostileFrames : public ::testing::Test {
 protected:
  HostileFrames() { world_.serve(443, upstream_); }
  ~HostileFrames() override { world_.end(); }

  static std::string frame(std::uint8_t type, std::uint8_t flags, std::uint32_t stream, const std::string& payload) {
    std::string out;
    const auto number = [&out](std::size_t value, int bytes) {
      while (bytes-- > 0) out += static_cast<char>(value >> (8 * bytes) & 0xff);
    };
    number(payload.size(), 3);
    number(type, 1);
    number(flags, 1);
    number(stream, 4);
    return out + payload;
  }
  static std::string head() {
    std::string block = "\x82\x87\x84"s;  // GET, https, /
    block += "\x41\x09good.test"s;        // :authority, as it is
    return block;
  }
  // Whether the proxy has had enough of it; what it answers is read by another.
  bool is_closed_by(const std::function<std::string(int round)>& bytes, int rounds) {
    Pipe pipe = world_.secure("good.test", {"h2"});
    pipe.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, ""));
    for (int i = 0; i < rounds; ++i) {
      const std::string some = bytes(i);
      if (pipe.send(some) != some.size()) return true;
    }
    pipe.half_close();
    for (std::string got = pipe.some(); !got.empty(); got = pipe.some())
      if (got.find("\7\0\0\0\0\0"s) != std::string::npos) goaway_ = true;
    return goaway_;
  }

  Heard heard_;
  World world_;
  Issued certificate_ = world_.issuer().issue("DNS:good.test");
  TestServer upstream_{noting_requests(heard_), {&certificate_, {"h2"}}};
  bool goaway_ = false;
};

TEST_F(HostileFrames, AFloodOfPingsWithoutReadingEndsTheConnection) {
  std::string many;
  for (int i = 0; i < 1000; ++i) many += frame(6, 0, 0, "12345678");
  EXPECT_TRUE(is_closed_by([&](int) { return many; }, 2000));
}

TEST_F(HostileFrames, AFloodOfSettingsWithoutReadingEndsTheConnection) {
  std::string many;
  for (int i = 0; i < 1000; ++i) many += frame(4, 0, 0, "\0\4\0\0\xff\xff"s);
  EXPECT_TRUE(is_closed_by([&](int) { return many; }, 2000));
}

TEST_F(HostileFrames, AFloodOfRapidResetsEndsTheConnection) {
  std::uint32_t stream = 1;
  EXPECT_TRUE(is_closed_by(
      [&](int) {
        std::string many;
        for (int i = 0; i < 100; ++i, stream += 2)
          many += frame(1, 5, stream, head()) + frame(3, 0, stream, "\0\0\0\x08"s);
        return many;
      },
      1000));
}

TEST_F(HostileFrames, AFloodOfContinuationsEndsTheConnection) {
  EXPECT_TRUE(is_closed_by([&](int round) { return round == 0 ? frame(1, 0, 1, head()) : frame(9, 0, 1, "\0\1x\1y"s); },
                           100000));
}

TEST_F(HostileFrames, CapitalsInANameAreNoName) {
  Pipe pipe = world_.secure("good.test", {"h2"});
  pipe.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, "") + frame(1, 5, 1, head() + "\0\6X-Evil\0011"s));
  pipe.half_close();
  pipe.rest();
  world_.end();
  upstream_.end();
  EXPECT_EQ(heard_.all(), "");
}

TEST_F(HostileFrames, AFloodOfStreamsIsHeldToAHundred) {
  std::uint32_t stream = 1;
  Pipe pipe = world_.secure("good.test", {"h2"});
  std::string many;
  for (int i = 0; i < 500; ++i, stream += 2) many += frame(1, 4, stream, head());  // none of them ends
  pipe.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, "") + frame(4, 1, 0, "") + many);
  pipe.half_close();
  pipe.rest();
  world_.end();
  upstream_.end();
  const std::string one = "good.test/";
  EXPECT_LE(heard_.all().size(), 100 * one.size());
}

}  // namespace
}  // namespace sbx::testing
