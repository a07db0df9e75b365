// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "proxy/world.h"

// What a hostile program may write to a connection, and what must become of it. "Refused" means that no server got a
// single byte. Everybody is allowed here but evil.test and, as always, the private ranges.
namespace sbx::testing {
namespace {

using namespace std::string_literals;

enum class Way {
  kCaptured,  // on its way to good.test:80, in the clear
  kForward,   // to the forward proxy
  kInside,    // inside inspected TLS to good.test:443
};

struct Verdict {
  std::string client_gets;  // how it begins; empty: nothing at all
  std::string server_gets;  // exactly
};

struct HostileBytes {
  const char* name;
  Way way;
  std::string bytes;
  Verdict verdict;
};

constexpr Way kCaptured = Way::kCaptured;
constexpr Way kForward = Way::kForward;
constexpr Way kInside = Way::kInside;

const std::string kEstablished = "HTTP/1.1 200 Connection established\r\n\r\n";
const std::string kHost = "Host: good.test\r\n";

Verdict refused(int status) { return {"HTTP/1.1 " + std::to_string(status) + " ", ""}; }
Verdict refused_after_connect(int status) { return {kEstablished + "HTTP/1.1 " + std::to_string(status) + " ", ""}; }
Verdict closed() { return {"", ""}; }
Verdict closed_after_connect() { return {kEstablished, ""}; }
Verdict passed(std::string server_gets) { return {"HTTP/1.1 200 OK\r\n", std::move(server_gets)}; }
// The head is on its way when the body turns out to be bad: the server never sees the end of it.
Verdict cut(std::string server_gets) { return {"HTTP/1.1 400 ", std::move(server_gets)}; }

std::string get(const std::string& fields) { return "GET / HTTP/1.1\r\n" + fields + "\r\n"; }
std::string post(const std::string& fields, const std::string& body) {
  return "POST / HTTP/1.1\r\n" + kHost + fields + "\r\n" + body;
}
std::string chunked(const std::string& body) { return post("Transfer-Encoding: chunked\r\n", body); }
std::string absolute(const std::string& authority) {
  return "GET http://" + authority + "/ HTTP/1.1\r\nHost: " + authority + "\r\n\r\n";
}
std::string connect(const std::string& target, const std::string& fields = "") {
  return "CONNECT " + target + " HTTP/1.1\r\n" + fields + "\r\n";
}
const std::string kPlainGet = get(kHost);
const std::string kChunkedHead = chunked("");

const std::vector<HostileBytes> kFraming = {
    {"LengthThenChunked", kCaptured, post("Content-Length: 6\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\nG"),
     refused(400)},
    {"ChunkedThenLength", kCaptured, post("Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", "5c\r\nGPOST"),
     refused(400)},
    {"TwoLengths", kCaptured, post("Content-Length: 5\r\nContent-Length: 6\r\n", "hello!"), refused(400)},
    {"TwoEqualLengths", kCaptured, post("Content-Length: 5\r\ncontent-length: 5\r\n", "hello"), refused(400)},
    {"ListOfLengths", kCaptured, post("Content-Length: 5, 5\r\n", "hello"), refused(400)},
    {"ListOfDifferentLengths", kCaptured, post("Content-Length: 5,6\r\n", "hello!"), refused(400)},
    {"SignedLength", kCaptured, post("Content-Length: +5\r\n", "hello"), refused(400)},
    {"NegativeLength", kCaptured, post("Content-Length: -5\r\n", "hello"), refused(400)},
    {"HexLength", kCaptured, post("Content-Length: 0x5\r\n", "hello"), refused(400)},
    {"OverflowingLength", kCaptured, post("Content-Length: 18446744073709551616\r\n", ""), refused(400)},
    {"HugeLength", kCaptured, post("Content-Length: 99999999999999999999999999\r\n", ""), refused(400)},
    {"EmptyLength", kCaptured, post("Content-Length:\r\n", ""), refused(400)},
    {"LengthOfTwoWords", kCaptured, post("Content-Length: 5 0\r\n", "hello"), refused(400)},
    {"FractionalLength", kCaptured, post("Content-Length: 5.0\r\n", "hello"), refused(400)},
    {"LengthWithAVerticalTab", kCaptured, post("Content-Length: \v5\r\n", "hello"), refused(400)},
    {"UnknownCoding", kCaptured, post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), refused(400)},
    {"IdentityCoding", kCaptured, post("Transfer-Encoding: identity\r\n", ""), refused(400)},
    {"ChunkedThenIdentity", kCaptured, post("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"), refused(400)},
    {"GzipThenChunked", kCaptured, post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), refused(400)},
    {"ChunkedWithAParameter", kCaptured, post("Transfer-Encoding: chunked;q=1\r\n", "0\r\n\r\n"), refused(400)},
    {"QuotedChunked", kCaptured, post("Transfer-Encoding: \"chunked\"\r\n", "0\r\n\r\n"), refused(400)},
    {"TwoCodings", kCaptured, post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
     refused(400)},
    {"ChunkedBehindAVerticalTab", kCaptured, post("Transfer-Encoding: \vchunked\r\n", "0\r\n\r\n"), refused(400)},
    {"ChunkedInHttp10", kCaptured, "POST / HTTP/1.0\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
     refused(400)},
    {"FoldedCoding", kCaptured, post("Transfer-Encoding:\r\n chunked\r\n", "0\r\n\r\n"), refused(400)},
    {"ChunkedInATab", kCaptured, post("Transfer-Encoding:\tCHUNKED\t\r\n", "0\r\n\r\n"), passed(chunked("0\r\n\r\n"))},
    {"LengthThatConnectionNames", kCaptured, post("Connection: Content-Length\r\nContent-Length: 5\r\n", "hello"),
     passed(post("Content-Length: 5\r\n", "hello"))},
    {"CodingThatConnectionNames", kCaptured,
     post("Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
     passed(chunked("0\r\n\r\n"))},
    {"RequestInTheBodyOfARefusedOne", kCaptured,
     "POST / HTTP/1.1\r\nHost: evil.test\r\nContent-Length: " + std::to_string(kPlainGet.size()) + "\r\n\r\n" +
         kPlainGet,
     refused(403)},
    {"RequestBehindARefusedOne", kCaptured, get("Host: evil.test\r\n") + kPlainGet, refused(403)},
    {"RequestInTheBodyOfAMalformedOne", kCaptured, post("Content-Length: x\r\n", kPlainGet), refused(400)},
};

const std::vector<HostileBytes> kLines = {
    {"OnlyLineFeeds", kCaptured, "GET / HTTP/1.1\nHost: good.test\n\n", refused(400)},
    {"OnlyCarriageReturns", kCaptured, "GET / HTTP/1.1\rHost: good.test\r\r", refused(400)},
    {"LineFeedInAField", kCaptured, get(kHost + "X: a\nEvil: b\r\n"), refused(400)},
    {"CarriageReturnInAField", kCaptured, get(kHost + "X: a\rEvil: b\r\n"), refused(400)},
    {"CarriageReturnTwice", kCaptured, "GET / HTTP/1.1\r\r\n" + kHost + "\r\n", refused(400)},
    {"ZeroInAName", kCaptured, get(kHost + "X\0Y: a\r\n"s), refused(400)},
    {"ZeroInAValue", kCaptured, get(kHost + "X: a\0b\r\n"s), refused(400)},
    {"DeleteInAValue", kCaptured, get(kHost + "X: a\x7f\r\n"), refused(400)},
    {"SpaceInAName", kCaptured, get(kHost + "X Y: a\r\n"), refused(400)},
    {"SpaceBeforeAColon", kCaptured, post("Content-Length : 5\r\n", "hello"), refused(400)},
    {"TabBeforeAColon", kCaptured, post("Content-Length\t: 5\r\n", "hello"), refused(400)},
    {"NoName", kCaptured, get(kHost + ": a\r\n"), refused(400)},
    {"NoColon", kCaptured, get(kHost + "nonsense\r\n"), refused(400)},
    {"ForeignLetterInAName", kCaptured, get("H\xc3\xb6st: good.test\r\n"), refused(400)},
    {"FoldedField", kCaptured, get(kHost + "X: a\r\n b\r\n"), refused(400)},
    {"FoldedByATab", kCaptured, get(kHost + "X: a\r\n\tb\r\n"), refused(400)},
    {"FoldedHost", kCaptured, get("Host: good.test\r\n evil.test\r\n"), refused(400)},
    {"SpaceBeforeTheFirstField", kCaptured, "GET / HTTP/1.1\r\n " + kHost + "\r\n", refused(400)},
    {"BlankLineFirst", kCaptured, "\r\n" + kPlainGet, refused(400)},
    {"HeadOf33Kilobytes", kCaptured, get(kHost + "X: " + std::string(33u << 10, 'x') + "\r\n"), refused(431)},
    {"PathOf33Kilobytes", kCaptured, "GET /" + std::string(33u << 10, 'x') + " HTTP/1.1\r\n" + kHost + "\r\n",
     refused(431)},
    {"AHundredAndOneFields", kCaptured,
     get(kHost +
         [] {
           std::string all;
           for (int i = 0; i < 100; ++i) all += "X: y\r\n";
           return all;
         }()),
     refused(431)},
    {"HeadWithoutAnEnd", kCaptured, "GET / HTTP/1.1\r\n" + kHost, refused(400)},
};

const std::vector<HostileBytes> kChunks = {
    {"ChunkSizeThatIsNone", kCaptured, chunked("g\r\n"), cut(kChunkedHead)},
    {"EmptyChunkSize", kCaptured, chunked("\r\nhello"), cut(kChunkedHead)},
    {"SignedChunkSize", kCaptured, chunked("+1\r\nx\r\n"), cut(kChunkedHead)},
    {"NegativeChunkSize", kCaptured, chunked("-1\r\nx\r\n"), cut(kChunkedHead)},
    {"PrefixedChunkSize", kCaptured, chunked("0x1\r\nx\r\n"), cut(kChunkedHead)},
    {"SpaceBeforeAChunkSize", kCaptured, chunked(" 1\r\nx\r\n"), cut(kChunkedHead)},
    {"SpaceAfterAChunkSize", kCaptured, chunked("1 \r\nx\r\n"), cut(kChunkedHead)},
    {"OverflowingChunkSize", kCaptured, chunked("10000000000000001\r\nx\r\n"), cut(kChunkedHead)},
    {"ChunkSizeThatEndsInALineFeed", kCaptured, chunked("1\nx\n0\n\n"), cut(kChunkedHead)},
    {"LineFeedInAChunkExtension", kCaptured, chunked("1;a\nb\r\nx\r\n0\r\n\r\n"), cut(kChunkedHead)},
    {"CarriageReturnInAChunkExtension", kCaptured, chunked("1;a\rb\r\nx\r\n0\r\n\r\n"), cut(kChunkedHead)},
    {"ZeroInAChunkExtension", kCaptured, chunked("1;a\0\r\nx\r\n0\r\n\r\n"s), cut(kChunkedHead)},
    {"LongChunkExtension", kCaptured, chunked("1;" + std::string(300, 'a') + "\r\nx\r\n0\r\n\r\n"), cut(kChunkedHead)},
    {"ChunkLongerThanItSays", kCaptured, chunked("1\r\nxy\r\n0\r\n\r\n"), cut(chunked("1\r\nx\r\n"))},
    {"ChunkThatEndsInALineFeed", kCaptured, chunked("1\r\nx\n0\r\n\r\n"), cut(chunked("1\r\nx\r\n"))},
    {"ChunkExtension", kCaptured, chunked("1;a=\"b\"\r\nx\r\n00\r\n\r\n"), passed(chunked("1\r\nx\r\n0\r\n\r\n"))},
    {"LengthInATrailer", kCaptured, chunked("0\r\nContent-Length: 5\r\n\r\n"), cut(kChunkedHead)},
    {"CodingInATrailer", kCaptured, chunked("0\r\nTransfer-Encoding: chunked\r\n\r\n"), cut(kChunkedHead)},
    {"HostInATrailer", kCaptured, chunked("0\r\nhost: evil.test\r\n\r\n"), cut(kChunkedHead)},
    {"ProxyAuthorizationInATrailer", kCaptured, chunked("0\r\nProxy-Authorization: x\r\n\r\n"), cut(kChunkedHead)},
    {"FoldedTrailer", kCaptured, chunked("0\r\nX: a\r\n b\r\n\r\n"), cut(kChunkedHead)},
    {"LineFeedInATrailer", kCaptured, chunked("0\r\nX: a\nY: b\r\n\r\n"), cut(kChunkedHead)},
    {"TrailersOf33Kilobytes", kCaptured, chunked("0\r\nX: " + std::string(33u << 10, 'x') + "\r\n\r\n"),
     cut(kChunkedHead)},
    {"BodyWithoutAnEnd", kCaptured, chunked("5\r\nhel"), {"", chunked("3\r\nhel\r\n")}},
};

const std::vector<HostileBytes> kRequestLines = {
    {"TabsForSpaces", kCaptured, "GET\t/\tHTTP/1.1\r\n" + kHost + "\r\n", refused(400)},
    {"TwoSpacesBeforeTheTarget", kCaptured, "GET  / HTTP/1.1\r\n" + kHost + "\r\n", refused(400)},
    {"TwoSpacesBeforeTheVersion", kCaptured, "GET /  HTTP/1.1\r\n" + kHost + "\r\n", refused(400)},
    {"SpaceAfterTheVersion", kCaptured, "GET / HTTP/1.1 \r\n" + kHost + "\r\n", refused(400)},
    {"SpaceInTheTarget", kCaptured, "GET /a b HTTP/1.1\r\n" + kHost + "\r\n", refused(400)},
    {"LowerCaseVersion", kCaptured, "GET / http/1.1\r\n" + kHost + "\r\n", refused(400)},
    {"NoVersion", kCaptured, "GET /\r\n\r\n", refused(400)},
    {"Version09", kCaptured, "GET / HTTP/0.9\r\n\r\n", refused(400)},
    {"Version12", kCaptured, "GET / HTTP/1.2\r\n" + kHost + "\r\n", refused(400)},
    {"Version20", kCaptured, "GET / HTTP/2.0\r\n" + kHost + "\r\n", refused(400)},
    {"VersionWithAZeroInFront", kCaptured, "GET / HTTP/01.1\r\n" + kHost + "\r\n", refused(400)},
    {"HalfAPrefaceOfHttp2", kCaptured, "PRI * HTTP/2.0\r\n\r\n", closed()},
    {"ARequestThatBeginsLikeHttp2", kCaptured, "PRI * HTTP/2.0\r\n\r\n" + kPlainGet, refused(400)},
    {"PriorKnowledgeOfHttp2ToTheProxy", kForward, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", refused(400)},
    {"PriorKnowledgeOfHttp2Inside", kInside, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", refused(400)},
    {"UpgradeToHttp2", kCaptured,
     get(kHost + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"),
     passed(kPlainGet)},
    {"UpgradeOfAPost", kCaptured, post("Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 0\r\n", ""),
     passed(post("Content-Length: 0\r\n", ""))},
    {"UpgradeThatConnectionDoesNotName", kCaptured, get(kHost + "Upgrade: websocket\r\n"), passed(kPlainGet)},
    {"BracketInTheMethod", kCaptured, "GE(T / HTTP/1.1\r\n" + kHost + "\r\n", refused(400)},
    {"NoTarget", kCaptured, "GET HTTP/1.1\r\n" + kHost + "\r\n", refused(400)},
    {"TargetWithoutASlash", kCaptured, "GET evil.test HTTP/1.1\r\n" + kHost + "\r\n", refused(400)},
    {"StarForGet", kCaptured, "GET * HTTP/1.1\r\n" + kHost + "\r\n", refused(400)},
    {"StarForOptions", kCaptured, "OPTIONS * HTTP/1.1\r\n" + kHost + "\r\n",
     passed("OPTIONS * HTTP/1.1\r\n" + kHost + "\r\n")},
    {"Fragment", kCaptured, "GET /#a HTTP/1.1\r\n" + kHost + "\r\n", refused(400)},
    // RFC 3986 has no such bytes in a URI: servers disagree about what they mean (Latin-1, UTF-8, what is cut off
    // where), and clients escape them.
    {"ForeignLetterInTheTarget", kCaptured, "GET /\xc3\xb6 HTTP/1.1\r\n" + kHost + "\r\n", refused(400)},
    {"ZeroInTheTarget", kCaptured, "GET /\0 HTTP/1.1\r\n"s + kHost + "\r\n", refused(400)},
    {"PathThatLooksLikeAHost", kCaptured, "GET //evil.test/ HTTP/1.1\r\n" + kHost + "\r\n",
     passed("GET //evil.test/ HTTP/1.1\r\n" + kHost + "\r\n")},
};

const std::vector<HostileBytes> kHosts = {
    {"TwoHosts", kCaptured, get(kHost + "Host: evil.test\r\n"), refused(400)},
    {"NoHost", kCaptured, get(""), refused(400)},
    {"NoHostInHttp10", kCaptured, "GET / HTTP/1.0\r\n\r\n", passed(kPlainGet)},
    {"EmptyHost", kCaptured, get("Host:\r\n"), refused(403)},
    {"OtherHost", kCaptured, get("Host: evil.test\r\n"), refused(403)},
    {"OtherHostThatIsAllowed", kCaptured, get("Host: fine.test\r\n"), refused(403)},
    {"OtherPort", kCaptured, get("Host: good.test:81\r\n"), refused(403)},
    {"HostWithTheUsualPort", kCaptured, get("Host: good.test:80\r\n"), passed(kPlainGet)},
    {"HostOfTwoWords", kCaptured, get("Host: good.test evil.test\r\n"), refused(403)},
    {"ListOfHosts", kCaptured, get("Host: good.test, evil.test\r\n"), refused(403)},
    {"UserInHost", kCaptured, get("Host: good.test@evil.test\r\n"), refused(400)},
    {"PathInHost", kCaptured, get("Host: good.test/evil.test\r\n"), refused(403)},
    {"HostInCapitalsWithADot", kCaptured, get("Host: GOOD.Test.\r\n"), passed(kPlainGet)},
    {"AbsoluteUriForAnotherHost", kCaptured, "GET http://evil.test/ HTTP/1.1\r\n" + kHost + "\r\n", refused(403)},
    {"AbsoluteUriAndAnotherHost", kCaptured, "GET http://good.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n", refused(403)},
    {"AbsoluteUri", kCaptured, "GET http://good.test/a HTTP/1.1\r\n" + kHost + "\r\n",
     passed("GET /a HTTP/1.1\r\n" + kHost + "\r\n")},
    {"AbsoluteUriOfHttpsInTheClear", kCaptured, "GET https://good.test/ HTTP/1.1\r\n" + kHost + "\r\n", refused(400)},
    {"OtherHostInside", kInside, get("Host: evil.test\r\n"), refused(403)},
    {"OtherPortInside", kInside, get("Host: good.test:80\r\n"), refused(403)},
    {"AbsoluteUriForAnotherHostInside", kInside, "GET https://evil.test/ HTTP/1.1\r\n" + kHost + "\r\n", refused(403)},
    {"AbsoluteUriOfHttpInside", kInside, "GET http://good.test/ HTTP/1.1\r\n" + kHost + "\r\n", refused(400)},
    {"AbsoluteUriInside", kInside, "GET https://good.test/ HTTP/1.1\r\n" + kHost + "\r\n", passed(kPlainGet)},
    {"ConnectInside", kInside, connect("evil.test:443"), refused(400)},
    {"ConnectOfACapturedClient", kCaptured, connect("good.test:80"), refused(400)},
    {"FieldsForTheProxy", kCaptured,
     get(kHost + "Proxy-Authorization: Basic eA==\r\nPROXY-Connection: x\r\nProxy-Foo: y\r\nTE: gzip\r\n"),
     passed(kPlainGet)},
    {"FieldsThatConnectionNames", kCaptured, get(kHost + "Connection: Host, X\r\nX: y\r\nKeep-Alive: 5\r\n"),
     passed(kPlainGet)},
};

const std::vector<HostileBytes> kForwardTargets = {
    {"OriginFormToAProxy", kForward, kPlainGet, refused(400)},
    {"BlockedHost", kForward, absolute("evil.test"), refused(403)},
    {"BlockedHostWithADot", kForward, absolute("evil.test."), refused(403)},
    {"BlockedHostInCapitals", kForward, absolute("EVIL.tESt"), refused(403)},
    {"BlockedHostInHost", kForward, "GET http://good.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n", refused(403)},
    {"BlockedHostInTheUri", kForward, "GET http://evil.test/ HTTP/1.1\r\n" + kHost + "\r\n", refused(403)},
    {"NoHostForAProxy", kForward, "GET http://good.test/ HTTP/1.1\r\n\r\n", refused(400)},
    {"User", kForward, "GET http://me@good.test/ HTTP/1.1\r\n" + kHost + "\r\n", refused(400)},
    {"UserThatLooksLikeAHost", kForward, "GET http://good.test:80@evil.test/ HTTP/1.1\r\n" + kHost + "\r\n",
     refused(400)},
    {"BackslashInTheHost", kForward, "GET http://evil.test\\.good.test/ HTTP/1.1\r\n" + kHost + "\r\n", refused(400)},
    {"FragmentInTheUri", kForward, "GET http://good.test#@evil.test/ HTTP/1.1\r\n" + kHost + "\r\n", refused(400)},
    {"QueryWithoutAPath", kForward, "GET http://good.test?x HTTP/1.1\r\n" + kHost + "\r\n",
     passed("GET /?x HTTP/1.1\r\n" + kHost + "\r\n")},
    {"HttpsByUri", kForward, "GET https://good.test/ HTTP/1.1\r\n" + kHost + "\r\n", refused(400)},
    {"OtherScheme", kForward, "GET ftp://good.test/ HTTP/1.1\r\n" + kHost + "\r\n", refused(400)},
    {"SchemeInCapitals", kForward, "GET HTTP://good.test/ HTTP/1.1\r\n" + kHost + "\r\n", passed(kPlainGet)},
    {"SchemeInCapitalsToABlockedHost", kForward, "GET hTTp://EVIL.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n",
     refused(403)},
    {"SecureSchemeInCapitals", kForward, "GET HTTPS://good.test/ HTTP/1.1\r\n" + kHost + "\r\n", refused(400)},
    {"NoAuthority", kForward, "GET http:///evil.test HTTP/1.1\r\n" + kHost + "\r\n", refused(400)},
    {"PortZero", kForward, absolute("good.test:0"), refused(400)},
    {"PortTooLarge", kForward, absolute("good.test:65536"), refused(400)},
    {"PortWithAZeroInFront", kForward, absolute("good.test:080"), refused(400)},
    {"EmptyPort", kForward, absolute("good.test:"), refused(400)},
    {"EscapedHost", kForward, absolute("ev%69l.test"), refused(400)},
    {"EscapedDot", kForward, absolute("evil%2etest"), refused(400)},
    {"EmptyLabel", kForward, absolute("good..test"), refused(400)},
    {"HyphenAtTheEnd", kForward, absolute("evil-.test"), refused(400)},
    {"ForeignLetterInTheHost", kForward, absolute("\xd0\xb5vil.test"), refused(400)},
    {"FullWidthDot", kForward, absolute("evil\xe3\x80\x82test"), refused(400)},
    {"LookAlikeIsAnotherHost", kForward, absolute("xn--vil-qdd.test"), passed(get("Host: xn--vil-qdd.test\r\n"))},
    {"DecimalAddress", kForward, absolute("2130706433"), refused(400)},
    {"OctalAddress", kForward, absolute("0177.0.0.1"), refused(400)},
    {"HexAddress", kForward, absolute("0x7f000001"), refused(400)},
    {"HexPartOfAnAddress", kForward, absolute("127.0.0.0x1"), refused(400)},
    {"ShortAddress", kForward, absolute("127.1"), refused(400)},
    {"AddressZero", kForward, absolute("0"), refused(400)},
    {"AddressWithADot", kForward, absolute("127.0.0.1."), refused(400)},
    {"Loopback", kForward, absolute("127.0.0.1"), refused(403)},
    {"AnyAddress", kForward, absolute("0.0.0.0"), refused(403)},
    {"CloudMetadata", kForward, absolute("169.254.169.254"), refused(403)},
    {"AddressOfOurNameServer", kForward, absolute("198.18.0.1"), refused(403)},
    {"Loopback6", kForward, absolute("[::1]"), refused(403)},
    {"MappedLoopback", kForward, absolute("[::ffff:127.0.0.1]"), refused(403)},
    {"MappedLoopbackInHex", kForward, absolute("[::ffff:7f00:1]"), refused(403)},
    {"CompatibleLoopback", kForward, absolute("[::127.0.0.1]"), refused(403)},
    {"TranslatedLoopback", kForward, absolute("[64:ff9b::127.0.0.1]"), refused(403)},
    {"TunnelledLoopback", kForward, absolute("[2002:7f00:1::]"), refused(403)},
    {"AddressWithAZone", kForward, absolute("[fe80::1%25eth0]"), refused(400)},
    {"AddressWithoutBrackets", kForward, absolute("::1"), refused(400)},
    {"TheProxyItself", kForward, absolute("host.docker.internal:3128"), refused(403)},
    {"TheHost", kForward, absolute("localhost:22"), refused(403)},
};

const std::vector<HostileBytes> kConnects = {
    {"ConnectWithoutAPort", kForward, connect("good.test"), refused(400)},
    {"ConnectToPortZero", kForward, connect("good.test:0"), refused(400)},
    {"ConnectToPort65536", kForward, connect("good.test:65536"), refused(400)},
    {"ConnectWithABody", kForward, connect("good.test:80", "Content-Length: 5\r\n") + "hello", refused(400)},
    {"ConnectInChunks", kForward, connect("good.test:80", "Transfer-Encoding: chunked\r\n") + "0\r\n\r\n",
     refused(400)},
    {"ConnectAndAnotherHost", kForward, connect("good.test:80", "Host: evil.test:80\r\n"), refused(400)},
    {"ConnectToAUri", kForward, connect("http://good.test:80"), refused(400)},
    {"ConnectToAPath", kForward, connect("good.test:80/"), refused(400)},
    {"ConnectWithAUser", kForward, connect("me@good.test:80"), refused(400)},
    {"ConnectToADecimalAddress", kForward, connect("2130706433:80"), refused(400)},
    {"ConnectToLoopback", kForward, connect("127.0.0.1:80") + get("Host: 127.0.0.1\r\n"), refused_after_connect(403)},
    {"ConnectToMappedLoopback", kForward, connect("[::ffff:127.0.0.1]:80") + get("Host: [::ffff:127.0.0.1]\r\n"),
     refused_after_connect(403)},
    {"ConnectToTheProxyItself", kForward, connect("host.docker.internal:3128") + connect("evil.test:80"),
     refused_after_connect(400)},
    {"ConnectToABlockedHost", kForward, connect("evil.test:80") + get("Host: evil.test\r\n"),
     refused_after_connect(403)},
    {"ConnectAndThenAnotherHost", kForward, connect("good.test:80") + get("Host: evil.test\r\n"),
     refused_after_connect(403)},
    {"ConnectAndThenAnotherAllowedHost", kForward, connect("good.test:80") + get("Host: fine.test\r\n"),
     refused_after_connect(403)},
    {"ConnectInAConnect", kForward, connect("good.test:80") + connect("evil.test:80"), refused_after_connect(400)},
    {"ConnectAndThenSsh", kForward, connect("good.test:80") + "SSH-2.0-x\r\n", closed_after_connect()},
    {"ConnectAndThenBytes", kForward, connect("good.test:80") + "\0\1\2\3"s, closed_after_connect()},
    {"ConnectAndThenHalfAHello", kForward, connect("good.test:443") + "\x16\x03\x01\x00\x05\x01",
     closed_after_connect()},
    {"ConnectAndThenAnotherRecord", kForward, connect("good.test:443") + "\x16\x03\x01\x00\x04\x02\x00\x00\x00"s,
     closed_after_connect()},
    {"BytesThatAreNeither", kCaptured, "\x80\x2e\x01\x03\x01"s, closed()},
    {"TextThatIsNeither", kCaptured, "EHLO evil.test\r\n", closed()},
};

std::vector<HostileBytes> all() {
  std::vector<HostileBytes> every;
  for (const auto& table : {kFraming, kLines, kChunks, kRequestLines, kHosts, kForwardTargets, kConnects})
    every.insert(every.end(), table.begin(), table.end());
  return every;
}

void PrintTo(const HostileBytes& hostile, std::ostream* out) { *out << hostile.name; }

class HostileRequest : public ::testing::TestWithParam<HostileBytes> {};

// Whatever became of it, there is a record that says so: the last status that the client got, a refusal, or what
// failed.
bool is_logged(const std::vector<netlog::Record>& log, std::string answer) {
  if (answer.starts_with(kEstablished)) answer.erase(0, kEstablished.size());
  if (answer.empty())
    return std::ranges::any_of(
        log, [](const auto& record) { return !record.allowed || record.reason.find("; ") != std::string::npos; });
  const auto status = static_cast<unsigned>(std::stoi(answer.substr(answer.rfind("HTTP/1.1 ") + 9, 3)));
  return std::ranges::any_of(log, [&](const auto& record) {
    return record.status == status && !record.rule.empty() && !record.reason.empty() && !record.host.empty();
  });
}

TEST_P(HostileRequest, MeetsItsFate) {
  const HostileBytes& hostile = GetParam();
  Heard heard;
  World world(Edits{{"block-host", "evil.test"}});
  const Issued certificate = world.issuer().issue("DNS:good.test");
  TestServer plain(noting(heard));
  TestServer secure(noting(heard), {&certificate, {"http/1.1"}});
  world.serve(80, plain);
  world.serve(443, secure);
  Pipe client = hostile.way == kForward    ? world.forward()
                : hostile.way == kCaptured ? world.captured("good.test:80")
                                           : world.secure("good.test");
  client.send(hostile.bytes);
  client.half_close();
  const std::string answer = client.rest();
  world.end();
  plain.end();
  secure.end();
  EXPECT_EQ(heard.all(), hostile.verdict.server_gets);
  const std::string& expected = hostile.verdict.client_gets;
  const bool nothing_more = expected.empty() || expected == kEstablished;
  EXPECT_EQ(nothing_more ? answer : answer.substr(0, expected.size()), expected);
  EXPECT_TRUE(is_logged(world.log(), answer)) << "a refusal that nobody hears of";
}

INSTANTIATE_TEST_SUITE_P(Table, HostileRequest, ::testing::ValuesIn(all()),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace sbx::testing
