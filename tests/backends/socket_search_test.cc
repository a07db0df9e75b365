// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/socket_search.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::backends {
namespace {

class SocketSearchTest : public ::testing::Test {
 protected:
  Fd bound(const std::string& name, int type) {
    Fd socket(::socket(AF_UNIX, type | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = directory_ / name;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    EXPECT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0) << name;
    EXPECT_TRUE(type == SOCK_DGRAM || ::listen(socket.get(), 1) == 0);
    return socket;
  }
  SocketSearch search(const SearchBounds& bounds = {}) {
    return find_sockets(*open_path(directory_.path(), O_PATH | O_DIRECTORY), bounds);
  }
  std::vector<std::string> names(const SocketSearch& search) {
    std::vector<std::string> names;
    for (const auto& socket : search.found) names.push_back(socket.path);
    std::sort(names.begin(), names.end());
    return names;
  }

  testing::TemporaryDirectory directory_;
};

TEST_F(SocketSearchTest, FindsEveryKindAtEveryDepth) {
  ASSERT_TRUE(make_directories(directory_ / "a/b/.c"));
  ASSERT_TRUE(write_file(directory_ / "a/file", ""));
  const Fd stream = bound("a/b/.c/stream", SOCK_STREAM);
  const Fd datagrams = bound("datagrams", SOCK_DGRAM);
  const Fd packets = bound("a/packets", SOCK_SEQPACKET);
  const SocketSearch found = search();
  EXPECT_EQ(names(found), (std::vector<std::string>{"a/b/.c/stream", "a/packets", "datagrams"}));
  EXPECT_TRUE(found.whole);
}

TEST_F(SocketSearchTest, AServerDoesNotNotice) {
  const Fd stream = bound("stream", SOCK_STREAM);
  const Fd datagrams = bound("datagrams", SOCK_DGRAM);
  const Fd packets = bound("packets", SOCK_SEQPACKET);
  EXPECT_EQ(search().found.size(), 3u);
  for (const Fd* server : {&stream, &datagrams, &packets}) {
    pollfd state{server->get(), POLLIN, 0};
    EXPECT_EQ(::poll(&state, 1, 0), 0);
  }
}

TEST_F(SocketSearchTest, OneThatNobodyListensOnIsLeftToWhoeverLeftItBehind) {
  bound("stale", SOCK_STREAM).reset();
  bound("stale-datagrams", SOCK_DGRAM).reset();
  EXPECT_TRUE(search().found.empty());
}

TEST_F(SocketSearchTest, LinksAreNotFollowed) {
  testing::TemporaryDirectory outside;
  ASSERT_TRUE(make_directories(directory_ / "inside"));
  const Fd socket = bound("inside/socket", SOCK_STREAM);
  ASSERT_EQ(::symlink("inside", (directory_ / "link").c_str()), 0);
  ASSERT_EQ(::symlink("inside/socket", (directory_ / "socket-link").c_str()), 0);
  ASSERT_EQ(::symlink("..", (directory_ / "inside/up").c_str()), 0);
  EXPECT_EQ(names(search()), (std::vector<std::string>{"inside/socket"}));
}

TEST_F(SocketSearchTest, EveryHardLinkIsFound) {
  const Fd socket = bound("one", SOCK_STREAM);
  ASSERT_EQ(::link((directory_ / "one").c_str(), (directory_ / "two").c_str()), 0);
  EXPECT_EQ(names(search()), (std::vector<std::string>{"one", "two"}));
}

TEST_F(SocketSearchTest, BoundsAreKeptAndSaid) {
  ASSERT_TRUE(make_directories(directory_ / "deep"));
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(write_file(directory_ / ("deep/" + std::to_string(i)), ""));
  const Fd top = bound("top", SOCK_STREAM);
  const SocketSearch bounded = search({.entries = 10, .sockets = 5});
  EXPECT_FALSE(bounded.whole);
  EXPECT_EQ(bounded.entries, 10u);
  EXPECT_EQ(names(bounded), (std::vector<std::string>{"top"})) << "what is near the top comes first";
  EXPECT_TRUE(search({.entries = 52 + 1, .sockets = 5}).whole);
  EXPECT_FALSE(search({.entries = 1000, .sockets = 1}).whole);
}

}  // namespace
}  // namespace sbx::backends
