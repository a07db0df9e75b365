// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/blob_door.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "blobs/message.h"
#include "support/run_loop.h"

namespace sbx::shim {
namespace {

using Found = proxy::BlobCache::Found;
using sbx::testing::run_until;

const blobs::BlobId kBlob{"https://registry.test:443", std::string(64, 'a')};

// A door whose cache the test plays.
class BlobDoorTest : public ::testing::Test {
 protected:
  BlobDoorTest() {
    SocketPair pair = std::move(*gate::make_line());
    cache_ = std::make_unique<gate::Line>(
        *loop_, std::move(pair.theirs),
        [this](std::string_view bytes, const Fd&) { asked_.push_back(*blobs::decode_ask(bytes)); }, [] {});
    door_ = std::make_unique<BlobDoor>(*loop_, std::move(pair.ours));
  }
  BlobDoor::Ticket find() {
    return door_->find(kBlob, [this](Found found) { found_.push_back(std::move(found)); });
  }
  bool until(const std::function<bool()>& is_so) { return run_until(*loop_, is_so); }
  void answer(std::size_t which, std::optional<std::uint64_t> size, Fd attached) {
    ASSERT_TRUE(until([&] { return asked_.size() > which; }));
    cache_->send(encode(blobs::Answer{asked_[which].ticket, size}), std::move(attached));
  }

  std::unique_ptr<loop::Loop> loop_ = *loop::Loop::create();
  std::vector<blobs::Ask> asked_;
  std::vector<Found> found_;
  std::unique_ptr<gate::Line> cache_;
  std::unique_ptr<BlobDoor> door_;
};

TEST_F(BlobDoorTest, TellsWhatIsThere) {
  find();
  answer(0, 7, Fd(::memfd_create("blob", MFD_CLOEXEC)));
  ASSERT_TRUE(until([&] { return !found_.empty(); }));
  EXPECT_TRUE(found_.front().file);
  EXPECT_EQ(found_.front().size, 7u);
  EXPECT_EQ(asked_.front().blob.origin, kBlob.origin);
}

TEST_F(BlobDoorTest, WhatIsFinishedArrivesWhole) {
  find();
  SocketPair pair = std::move(*make_socket_pair());
  ASSERT_TRUE(set_nonblocking(pair.theirs) && set_nonblocking(pair.ours));
  answer(0, std::nullopt, std::move(pair.theirs));
  ASSERT_TRUE(until([&] { return !found_.empty(); }));
  auto copy = std::move(found_.front().copy);
  ASSERT_TRUE(copy);
  const std::string large(4u << 20, 'x');  // more than a socket takes at once
  copy->send(large);
  door_->finish(std::move(copy));
  std::string got;
  bool ended = false;
  ASSERT_TRUE(until([&] {
    std::string piece(1u << 20, '\0');
    const ssize_t n = ::read(pair.ours.get(), piece.data(), piece.size());
    if (n > 0) got.append(piece, 0, static_cast<std::size_t>(n));
    return ended = n == 0;
  }));
  EXPECT_EQ(got.size(), large.size());
}

TEST_F(BlobDoorTest, NothingIsThereWhenTheCacheIsGone) {
  find();
  ASSERT_TRUE(until([&] { return asked_.size() == 1; }));
  cache_.reset();
  ASSERT_TRUE(until([&] { return found_.size() == 1; }));
  find();
  ASSERT_TRUE(until([&] { return found_.size() == 2; }));
  for (const Found& found : found_) EXPECT_FALSE(found.file || found.copy);
}

TEST_F(BlobDoorTest, TellsNothingThatWasCancelled) {
  door_->cancel(find());
  find();
  answer(0, std::nullopt, {});
  answer(1, std::nullopt, {});
  ASSERT_TRUE(until([&] { return found_.size() == 1; }));
  sbx::testing::settle(*loop_);
  EXPECT_EQ(found_.size(), 1u);
}

}  // namespace
}  // namespace sbx::shim
