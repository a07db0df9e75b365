// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/json.h"
#include "loop/loop.h"
#include "shim/guest.h"
#include "support/run_loop.h"
#include "version.h"
#include "wire/frame.h"

namespace sbx::shim::testing {

struct Frame {
  wire::Kind kind;
  std::uint32_t stream;
  std::string payload;
};

inline std::string bytes_of(wire::Kind kind, std::uint32_t stream, std::string_view payload) {
  const auto header = wire::encode({static_cast<std::uint32_t>(payload.size()), stream, kind});
  return std::string(header.data(), header.size()) + std::string(payload);
}

// The other end of a frame stream, in the test's hands: a guest that may lie, or a client.
class FrameEnd {
 public:
  explicit FrameEnd(Fd fd) : fd_(std::move(fd)) { (void)set_nonblocking(fd_); }

  void say(wire::Kind kind, std::uint32_t stream, std::string_view payload = {}) {
    const std::string bytes = bytes_of(kind, stream, payload);
    ASSERT_EQ(::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  }
  // As much of the bytes as the socket takes now; the rest is said first the next time.
  void say_some(std::string_view bytes) {
    unsaid_ += bytes;
    const ssize_t n = ::send(fd_.get(), unsaid_.data(), unsaid_.size(), MSG_NOSIGNAL);
    if (n > 0) unsaid_.erase(0, static_cast<std::size_t>(n));
  }
  bool all_said() const { return unsaid_.empty(); }
  void say_raw(std::string_view bytes) { ASSERT_TRUE(write_all(fd_, bytes)); }
  void close() { fd_.reset(); }

  // Everything that has arrived by now.
  std::vector<Frame> hear() {
    std::string buffer(1 << 20, 0);
    for (ssize_t n = 0; (n = ::read(fd_.get(), buffer.data(), buffer.size())) > 0;)
      input_.append(buffer.data(), static_cast<std::size_t>(n));
    if (const auto blank = input_.find("\r\n\r\n"); input_.starts_with("HTTP/1.1 ") && blank != std::string::npos) {
      http_head_ = input_.substr(0, blank + 4);
      input_.erase(0, blank + 4);
    }
    std::vector<Frame> frames;
    while (input_.size() >= wire::kHeaderSize) {
      const auto header =
          wire::decode_header(std::span<const char, wire::kHeaderSize>(input_.data(), wire::kHeaderSize));
      if (!header || input_.size() < wire::kHeaderSize + header->length) break;
      frames.push_back({header->kind, header->stream, input_.substr(wire::kHeaderSize, header->length)});
      input_.erase(0, wire::kHeaderSize + header->length);
    }
    return frames;
  }
  const std::string& http_head() const { return http_head_; }

 private:
  Fd fd_;
  std::string input_;
  std::string http_head_;
  std::string unsaid_;
};

// A Guest whose other end the test plays.
class GuestWorld {
 public:
  explicit GuestWorld(std::int64_t clock_us = 0)
      : loop_(*loop::Loop::create([this] { return steady_now() + skipped_; })) {
    auto pair = make_socket_pair();
    for (const Fd* fd : {&pair->ours, &pair->theirs}) {
      const int size = 4 << 20;
      ::setsockopt(fd->get(), SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size);
    }
    end_ = std::make_unique<FrameEnd>(std::move(pair->theirs));
    wire::GuestConfig config;
    config.name = "box";
    config.clock_us = clock_us;
    guest_ = std::make_unique<Guest>(
        *loop_, std::move(pair->ours), config, [this](const wire::GuestReady&) { ready_ = true; },
        [this](Error why) { lost_ = why.what(); },
        [this](wire::Connect wanted, std::unique_ptr<streams::Stream> stream) {
          connected_.emplace_back(std::move(wanted), std::move(stream));
        });
  }

  void settle() { sbx::testing::settle(*loop_); }
  // Moves the loop's clock forward, and lets what is due then happen.
  void pass(std::chrono::seconds time) {
    skipped_ += time;
    settle();
  }

  loop::Loop& loop() { return *loop_; }

  std::chrono::seconds skipped_{0};
  std::unique_ptr<loop::Loop> loop_;
  std::unique_ptr<FrameEnd> end_;
  std::unique_ptr<Guest> guest_;
  bool ready_ = false;
  std::optional<std::string> lost_;
  std::vector<std::pair<wire::Connect, std::unique_ptr<streams::Stream>>> connected_;
};

// One that has said hello, was configured and is ready.
class ReadyWorld : public GuestWorld {
 public:
  ReadyWorld() {
    end_->say(wire::Kind::kHello, 0, dump({{"version", SANDBOXD_VERSION "+" SANDBOXD_COMMIT}}));
    end_->say(wire::Kind::kReady, 0, "{}");
    settle();
    EXPECT_TRUE(ready_);
    end_->hear();
  }
};

}  // namespace sbx::shim::testing
