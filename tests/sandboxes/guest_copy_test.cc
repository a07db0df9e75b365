// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/guest_copy.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "base/socket.h"
#include "wire/frame.h"

namespace sbx::sandboxes {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

std::string frame(wire::Kind kind, const std::string& payload) {
  const auto head = wire::encode(wire::Header{static_cast<std::uint32_t>(payload.size()), wire::kClientStream, kind});
  return std::string(head.data(), head.size()) + payload;
}

// A guest that has sent `bytes`, and then says the same on and on until it is not heard any more.
class Guest {
 public:
  explicit Guest(const std::string& bytes, std::string on_and_on = "") {
    SocketPair pair = make_socket_pair().value();
    EXPECT_TRUE(write_all(pair.theirs, bytes));
    if (!on_and_on.empty())
      speaker_ = std::jthread([theirs = std::move(pair.theirs), text = std::move(on_and_on)] {
        while (send_all(theirs, text, "print")) continue;
      });
    else
      theirs_ = std::move(pair.theirs);
    stream_ = std::make_unique<exchange::ExecStream>(exchange::Upgraded{std::move(pair.ours), ""});
  }
  ~Guest() { stream_.reset(); }

  Result<> copied(Pace pace) { return copy_from_guest(*stream_, std::move(pipe_.write), pace); }
  std::string came() const { return read_all(pipe_.read, 1u << 20).value_or("an error"); }

 private:
  Pipe pipe_ = make_pipe().value();
  Fd theirs_;
  std::jthread speaker_;
  std::unique_ptr<exchange::ExecStream> stream_;
};

TEST(GuestCopy, IsWholeWhenTheCommandHasEnded) {
  Guest guest(frame(wire::Kind::kOut, "one") + frame(wire::Kind::kOut, "two") +
              frame(wire::Kind::kExit, R"({"code":0})"));
  const auto copied = guest.copied({1, hours(1)});
  ASSERT_TRUE(copied) << copied.error().what();
  EXPECT_EQ(guest.came(), "onetwo");
}

TEST(GuestCopy, AGuestThatSendsLessThanThePaceIsGivenUp) {
  Guest guest(frame(wire::Kind::kOut, "one"));
  EXPECT_EQ(guest.copied({4, milliseconds(20)}).error().code(), Code::kTimeout);
}

TEST(GuestCopy, WhatIsNoPartOfTheCopyIsNoProgress) {
  Guest guest("", frame(wire::Kind::kErr, "x"));
  EXPECT_EQ(guest.copied({1, milliseconds(20)}).error().code(), Code::kTimeout);
}

}  // namespace
}  // namespace sbx::sandboxes
