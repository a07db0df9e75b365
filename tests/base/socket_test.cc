// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/socket.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx {
namespace {

TEST(Socket, PathsLongerThanSunPathWork) {
  const testing::TemporaryDirectory dir;
  const std::string deep = dir.path() + "/" + std::string(120, 'h') + "/" + std::string(120, 'n');
  ASSERT_TRUE(make_directories(deep));
  const auto listener = listen_unix(deep + "/shim.sock");
  ASSERT_TRUE(listener) << listener.error().what();
  EXPECT_TRUE(connect_unix(deep + "/shim.sock"));
}

TEST(Socket, FileIsPrivateAndAStaleOneIsReplaced) {
  const testing::TemporaryDirectory dir;
  const std::string path = dir.path() + "/s";
  { ASSERT_TRUE(listen_unix(path)); }
  EXPECT_FALSE(connect_unix(path));
  const auto listener = listen_unix(path);
  ASSERT_TRUE(listener);
  struct stat info {};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST(Socket, PeerIsWhoConnected) {
  const auto pair = make_socket_pair();
  const auto peer = peer_of(pair->ours);
  ASSERT_TRUE(peer);
  EXPECT_EQ(peer->uid, ::getuid());
  EXPECT_EQ(peer->pid, ::getpid());
}

TEST(Message, CarriesBodyAndDescriptors) {
  const auto pair = make_socket_pair();
  const auto pipe = make_pipe();
  const std::string body(300'000, 'b');
  std::thread sender([&] { EXPECT_TRUE(send_message(pair->ours, body, {pipe->write.get()})); });
  const auto message = receive_message(pair->theirs);
  sender.join();
  ASSERT_TRUE(message && *message);
  EXPECT_EQ((*message)->body, body);
  ASSERT_EQ((*message)->fds.size(), 1u);
  ASSERT_TRUE(write_all((*message)->fds.front(), "x"));
  char byte = 0;
  EXPECT_EQ(::read(pipe->read.get(), &byte, 1), 1);
}

TEST(Socket, DescriptorsGoWithTheFirstByteOnce) {
  auto pair = make_socket_pair();
  const auto pipe = make_pipe();
  const std::string text(1'000'000, 't');
  std::thread sender([&] {
    EXPECT_TRUE(send_all(pair->ours, text, "send", {pipe->write.get(), pipe->read.get()}));
    pair->ours.reset();
  });
  std::string got;
  std::vector<Fd> fds;
  std::array<char, 4096> piece;
  for (;;) {
    const auto n = receive_some(pair->theirs, piece, fds);
    ASSERT_TRUE(n);
    EXPECT_EQ(fds.size(), 2u);
    if (*n == 0) break;
    got.append(piece.data(), *n);
  }
  sender.join();
  EXPECT_EQ(got, text);
}

TEST(Message, EndOfStreamIsNotAnErrorButHalfAMessageIs) {
  auto pair = make_socket_pair();
  pair->ours.reset();
  const auto ended = receive_message(pair->theirs);
  ASSERT_TRUE(ended);
  EXPECT_FALSE(ended->has_value());
  auto half = make_socket_pair();
  ASSERT_TRUE(write_all(half->ours, std::string_view("\x05\0\0\0ab", 6)));
  half->ours.reset();
  EXPECT_FALSE(receive_message(half->theirs));
}

TEST(Message, ALengthOverTheBoundIsRefused) {
  const auto pair = make_socket_pair();
  ASSERT_TRUE(write_all(pair->ours, "\xff\xff\xff\x7f"));
  const auto message = receive_message(pair->theirs);
  ASSERT_FALSE(message);
  EXPECT_EQ(message.error().code(), Code::kTooLarge);
}

TEST(Socket, SendingToAClosedPeerIsAnErrorAndNoSignal) {
  auto pair = make_socket_pair();
  ASSERT_TRUE(pair);
  pair->theirs.reset();
  EXPECT_EQ(send_all(pair->ours, "x", "tell it").error().what(), "tell it: Broken pipe");
}

}  // namespace
}  // namespace sbx
