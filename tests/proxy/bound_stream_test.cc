// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/bound_stream.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "support/run_loop.h"
#include "vault/bound_request.h"

namespace sbx::proxy {
namespace {

using vault::ToShim;
using vault::ToVault;

// In the place of the connection to the vault.
class FakeVaultStream : public streams::Stream {
 public:
  explicit FakeVaultStream(std::string& sent, Listener*& listener) : sent_(sent), listener_(listener) {}
  void listen(Listener& listener) override { listener_ = &listener; }
  void send(std::string_view bytes) override { sent_ += bytes; }
  std::size_t queued() const override { return sent_.size(); }
  void finish() override {}
  void pause() override {}
  void resume() override {}

 private:
  std::string& sent_;
  Listener*& listener_;
};

class BoundStreamTest : public ::testing::Test, protected streams::Stream::Listener {
 protected:
  BoundStreamTest() { stream->listen(*this); }

  void received(std::string_view bytes) override {
    got += bytes;
    if (drop_when_received) stream.reset();
  }
  void ended() override { ++ends; }
  void failed(const Error& why) override { errors.push_back(why); }
  void drained() override { ++drains; }

  void vault_says(ToShim kind, std::string_view bytes) { vault->received(vault::frame(kind, bytes)); }
  std::vector<std::pair<ToVault, std::string>> frames() {
    std::vector<std::pair<ToVault, std::string>> found;
    vault::FrameReader reader(static_cast<std::uint8_t>(ToVault::kEnd));
    EXPECT_TRUE(reader.take(sent, [&](std::uint8_t kind, std::string_view bytes) {
      found.emplace_back(static_cast<ToVault>(kind), bytes);
      return true;
    }));
    return found;
  }

  std::unique_ptr<loop::Loop> loop = std::move(*loop::Loop::create());
  std::string sent;
  streams::Stream::Listener* vault = nullptr;
  std::unique_ptr<BoundStream> stream =
      std::make_unique<BoundStream>(*loop, std::make_unique<FakeVaultStream>(sent, vault));
  std::string got;
  int ends = 0;
  int drains = 0;
  std::vector<Error> errors;
  bool drop_when_received = false;
};

TEST_F(BoundStreamTest, MakesFramesOfARequest) {
  Http1Request request;
  request.head.method = "POST";
  request.head.path = "/v1/messages";
  request.head.fields = {{"x-some", "field"}};
  request.head.length = 3;
  stream->begin(request);
  stream->send("abc");
  stream->end();
  const auto all = frames();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].first, ToVault::kHead);
  const auto head = vault::decode_request(all[0].second);
  ASSERT_TRUE(head);
  EXPECT_EQ(head->target, "/v1/messages");
  EXPECT_EQ(head->length, 3u);
  EXPECT_EQ(all[1], (std::pair{ToVault::kBody, std::string("abc")}));
  EXPECT_EQ(all[2], (std::pair{ToVault::kEnd, std::string()}));
}

TEST_F(BoundStreamTest, AHeadWhoseBodyHasNotComeIsSentNevertheless) {
  stream->begin({});
  EXPECT_GT(stream->queued(), 0u);
  ASSERT_TRUE(sbx::testing::run_until(*loop, [&] { return !sent.empty(); }));
  ASSERT_EQ(frames().size(), 1u);
  EXPECT_EQ(frames()[0].first, ToVault::kHead);
}

TEST_F(BoundStreamTest, CutsALargeBodyIntoFramesOfTheirLargestSize) {
  const std::string body(2 * vault::kLargestFrame + 5, 'x');
  stream->send(body);
  const auto all = frames();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].second.size(), vault::kLargestFrame);
  EXPECT_EQ(all[2].second.size(), 5u);
}

TEST_F(BoundStreamTest, PassesOnWhatTheServerSaysAndNamesTheCredential) {
  vault_says(ToShim::kUsed, "key");
  vault_says(ToShim::kData, "HTTP/1.1 200 OK\r\n\r\n");
  EXPECT_EQ(stream->credential(), "key");
  EXPECT_EQ(got, "HTTP/1.1 200 OK\r\n\r\n");
  vault_says(ToShim::kEnd, "");
  EXPECT_EQ(ends, 1);
  vault->ended();
  EXPECT_TRUE(errors.empty());
}

TEST_F(BoundStreamTest, TheNextRequestHasNoCredentialYet) {
  vault_says(ToShim::kUsed, "key");
  stream->begin({});
  EXPECT_EQ(stream->credential(), "");
}

TEST_F(BoundStreamTest, TakesFramesInWhateverPiecesTheyCome) {
  for (const char c : vault::frame(ToShim::kData, "abc") + vault::frame(ToShim::kData, "def")) vault->received({&c, 1});
  EXPECT_EQ(got, "abcdef");
}

TEST_F(BoundStreamTest, ARefusalIsTheLastThingThatIsHeard) {
  vault_says(ToShim::kRefused, "it has expired");
  vault_says(ToShim::kData, "more");
  vault->ended();
  vault->drained();
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].code(), Code::kForbidden);
  EXPECT_EQ(errors[0].what(), "it has expired");
  EXPECT_EQ(got, "");
  EXPECT_EQ(drains, 0);
}

// A response that ends with its connection would be taken for a whole one.
TEST_F(BoundStreamTest, AnEndThatTheVaultDidNotAnnounceIsAFailure) {
  vault_says(ToShim::kData, "half");
  vault->ended();
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].code(), Code::kUnavailable);
  EXPECT_EQ(ends, 0);
}

TEST_F(BoundStreamTest, WhatIsNoFrameBreaksItOffOnce) {
  vault->received(std::string(64, '\xff'));
  vault->received(std::string(64, '\xff'));
  EXPECT_EQ(errors.size(), 1u);
}

TEST_F(BoundStreamTest, MayBeDestroyedWhileItIsHeard) {
  drop_when_received = true;
  vault->received(vault::frame(ToShim::kData, "one") + vault::frame(ToShim::kData, "two"));
  EXPECT_EQ(got, "one");
}

}  // namespace
}  // namespace sbx::proxy
