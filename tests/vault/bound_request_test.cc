// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/bound_request.h"

#include <gtest/gtest.h>

namespace sbx::vault {
namespace {

BoundRequest get() { return {"GET", "/v1?a=b", {{"Accept", "*/*"}}, std::nullopt, false, false}; }

Result<BoundRequest> sent(const BoundRequest& request) { return decode_request(encode(request)); }

TEST(BoundRequest, IsReadAsItWasSaid) {
  BoundRequest said = get();
  said.length = 7;
  said.fields.emplace_back("X-Long", std::string(20'000, 'x'));
  const auto read = sent(said);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->method, "GET");
  EXPECT_EQ(read->target, "/v1?a=b");
  EXPECT_EQ(read->fields, said.fields);
  EXPECT_EQ(read->length, 7u);
}

TEST(BoundRequest, HasAHostAndAnEndOfTheVaultsOwn) {
  EXPECT_EQ(write(get(), "api.test"), "GET /v1?a=b HTTP/1.1\r\nHost: api.test\r\nAccept: */*\r\n\r\n");
  BoundRequest post = get();
  post.length = 0;
  EXPECT_NE(write(post, "api.test").find("\r\nContent-Length: 0\r\n"), std::string::npos);
  post.length.reset();
  post.chunked = true;
  EXPECT_NE(write(post, "api.test").find("\r\nTransfer-Encoding: chunked\r\n"), std::string::npos);
  BoundRequest socket = get();
  socket.websocket = true;
  EXPECT_NE(write(socket, "api.test").find("Connection: Upgrade\r\nUpgrade: websocket\r\n"), std::string::npos);
}

// Each of them would let a shim that was taken over say where a request goes, or where it ends.
TEST(BoundRequest, FieldsOfTheVaultsAreRefused) {
  for (const char* name : {"Host", "host", "HOST", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive",
                           "Upgrade", "TE", "Trailer", "Proxy-Authorization", "proxy-connection"}) {
    BoundRequest request = get();
    request.fields.emplace_back(name, "x");
    EXPECT_FALSE(sent(request)) << name;
  }
}

TEST(BoundRequest, ALineThatWouldBeTwoIsRefused) {
  const std::vector<std::string> bad_texts = {"a\r\nHost: evil.test", "a\nb", "a\rb", std::string("a\0b", 3), "a\x7f"};
  for (const std::string& bad : bad_texts) {
    BoundRequest request = get();
    request.fields.emplace_back("X-Note", bad);
    EXPECT_FALSE(sent(request)) << "value";
    request = get();
    request.fields.emplace_back(bad, "x");
    EXPECT_FALSE(sent(request)) << "name";
    request = get();
    request.target = "/" + bad;
    EXPECT_FALSE(sent(request)) << "target";
    request = get();
    request.method = bad;
    EXPECT_FALSE(sent(request)) << "method";
  }
}

TEST(BoundRequest, NamesAndTargetsAreThoseOfHttp) {
  for (const char* name : {"", "X Note", "X:", "X-N\xc3\xb6te"}) {
    BoundRequest request = get();
    request.fields.emplace_back(name, "x");
    EXPECT_FALSE(sent(request)) << name;
  }
  for (const char* target : {"", "*", "http://evil.test/", "evil.test:443", "/a b", "/a#b"}) {
    BoundRequest request = get();
    request.target = target;
    EXPECT_FALSE(sent(request)) << target;
  }
  BoundRequest options{"OPTIONS", "*", {}, std::nullopt, false, false};
  EXPECT_TRUE(sent(options));
}

TEST(BoundRequest, MethodsThatLeadElsewhereOrSayItBackAreRefused) {
  for (const char* method : {"CONNECT", "TRACE", "", "GET /"}) {
    BoundRequest request = get();
    request.method = method;
    EXPECT_FALSE(sent(request)) << method;
  }
}

TEST(BoundRequest, AnUpgradeHasNoBody) {
  BoundRequest request = get();
  request.websocket = true;
  EXPECT_TRUE(sent(request));
  request.length = 5;
  EXPECT_FALSE(sent(request));
  request.length.reset();
  request.chunked = true;
  EXPECT_FALSE(sent(request));
}

TEST(BoundRequest, IsRefusedWhereverItIsCut) {
  const std::string whole = encode(get());
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_FALSE(decode_request(whole.substr(0, size))) << size;
  EXPECT_FALSE(decode_request(whole + "x"));
}

TEST(BoundRequest, HasABoundNumberOfFields) {
  BoundRequest request = get();
  request.fields.assign(http::kMostHeaders + 1, {"X", "y"});
  EXPECT_FALSE(sent(request));
}

}  // namespace
}  // namespace sbx::vault
