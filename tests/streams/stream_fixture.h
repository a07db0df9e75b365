// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <optional>

#include "streams/socket_stream.h"
#include "support/run_loop.h"

namespace sbx::streams {

struct Recorder final : Stream::Listener {
  void received(std::string_view bytes) override {
    got += bytes;
    if (on_received) on_received();
  }
  void ended() override { ++ends; }
  void failed(const Error& why) override { failure = why.what(); }
  void drained() override { ++drains; }

  std::string got;
  int ends = 0;
  int drains = 0;
  std::optional<std::string> failure;
  std::function<void()> on_received;
};

class StreamTest : public ::testing::Test {
 protected:
  struct Pair {
    std::unique_ptr<SocketStream> stream;
    Fd peer;  // does not block
  };
  Pair make() {
    auto pair = *make_socket_pair();
    (void)set_nonblocking(pair.ours);
    (void)set_nonblocking(pair.theirs);
    return {std::make_unique<SocketStream>(*loop_, std::move(pair.ours)), std::move(pair.theirs)};
  }
  void settle() { testing::settle(*loop_); }
  static std::string drain(const Fd& fd) {
    std::string all;
    char piece[4096];
    for (ssize_t size = 0; (size = ::read(fd.get(), piece, sizeof piece)) > 0;)
      all.append(piece, static_cast<std::size_t>(size));
    return all;
  }
  static void put(const Fd& fd, std::string_view bytes) { ASSERT_TRUE(write_all(fd, bytes)); }

  std::unique_ptr<loop::Loop> loop_ = *loop::Loop::create();
  Recorder recorder_;
};

}  // namespace sbx::streams
