// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/json.h"
#include "base/value.h"
#include "channel/connections.h"
#include "channel/link.h"
#include "loop/loop.h"
#include "wire/exec.h"
#include "wire/frame.h"
#include "wire/guest.h"
#include "wire/network.h"

namespace sbx::testing {

// The host's end of a channel: opens execs, keeps to the rules of flow control (or not, if told so), and remembers what
// each exec said.
class FakeHost {
 public:
  struct Exec {
    bool opened = false;
    pid_t pid = 0;
    std::string out;
    std::string err;
    std::optional<wire::ExecExit> exit;
    bool gives_credit = true;
    std::size_t window = wire::kWindow;  // for stdin
    std::string input;                   // waiting for the window
    bool input_ends = false;
  };

  FakeHost(loop::Loop& loop, Fd channel)
      : loop_(loop),
        link_(
            loop, std::move(channel),
            [this](const wire::Header& header, std::string_view payload) { take(header, payload); },
            [this](const Result<>&) {
              closed = true;
              changed();
            }),
        connections_(loop, link_, channel::Connections::Side::kHost,
                     [this](std::string_view request, std::unique_ptr<streams::Stream> stream) {
                       if (on_connect)
                         on_connect(value_in<wire::Connect>(request, "connect").value(), std::move(stream));
                       return Result<>(Ok{});
                     }) {
    link_.when_drained([this] { connections_.link_drained(); });
  }

  void configure(const wire::GuestConfig& config) { control(wire::Kind::kConfigure, text_of(config)); }
  void control(wire::Kind kind, std::string_view payload) { link_.send(kind, wire::kControlStream, payload); }
  void send(std::uint32_t stream, wire::Kind kind, std::string_view payload = {}) { link_.send(kind, stream, payload); }

  std::uint32_t open(const wire::ExecRequest& request, bool gives_credit = true) {
    const std::uint32_t stream = next_stream_++;
    execs[stream].gives_credit = gives_credit;
    link_.send(wire::Kind::kOpen, stream, text_of(request));
    return stream;
  }

  // As if somebody had come to a published port.
  std::unique_ptr<streams::Stream> accept(std::uint16_t port) {
    return connections_.open(next_stream_++, text_of(wire::Accept{port}));
  }

  // Sends it all and then the end, as fast as the window allows.
  void feed(std::uint32_t stream, std::string bytes) {
    execs[stream].input = std::move(bytes);
    execs[stream].input_ends = true;
    pump(stream);
  }

  void credit(std::uint32_t stream, std::size_t bytes) {
    const auto payload = wire::encode_u32(static_cast<std::uint32_t>(bytes));
    link_.send(wire::Kind::kCredit, stream, {payload.data(), payload.size()});
  }

  // Runs the loop until it is so. The condition is looked at after each frame and each notice.
  void until(std::function<bool()> condition) {
    condition_ = std::move(condition);
    bool late = false;
    const auto limit = loop_.after(std::chrono::seconds(30), [&] {
      ADD_FAILURE() << "it never happened";
      late = true;
      loop_.stop();
    });
    while (!late && !condition_()) EXPECT_TRUE(loop_.run());
    condition_ = nullptr;
  }
  void until_exit(std::uint32_t stream) {
    until([this, stream] { return execs[stream].exit.has_value() || closed; });
  }
  // Something that a condition may be about has changed.
  void changed() {
    if (condition_ && condition_()) loop_.stop();
  }

  std::optional<wire::GuestHello> hello;
  std::optional<wire::GuestReady> ready;
  std::string failed;
  std::vector<std::string> logs;
  std::map<std::uint32_t, Exec> execs;
  std::function<void(const wire::Connect&, std::unique_ptr<streams::Stream>)> on_connect;  // none: refused
  bool closed = false;

 private:
  void take(const wire::Header& header, std::string_view payload) {
    if (header.stream == wire::kControlStream)
      take_control(header.kind, payload);
    else if (execs.contains(header.stream))
      take_exec(header, payload);
    else if (const auto taken = connections_.take(header, payload); !taken)
      ADD_FAILURE() << taken.error().what();
    changed();
  }

  void take_control(wire::Kind kind, std::string_view payload) {
    if (kind == wire::Kind::kLog) return logs.emplace_back(payload), void();
    const Json json = parse_json(payload).value();
    if (kind == wire::Kind::kHello) hello = value_of<wire::GuestHello>(json, "hello").value();
    if (kind == wire::Kind::kReady) ready = value_of<wire::GuestReady>(json, "ready").value();
    if (kind == wire::Kind::kFailed) failed = json["error"];
  }

  void take_exec(const wire::Header& header, std::string_view payload) {
    Exec& exec = execs[header.stream];
    EXPECT_FALSE(exec.exit) << "a frame after kExit";
    switch (header.kind) {
      case wire::Kind::kOpened:
        exec.opened = true;
        exec.pid = parse_json(payload).value()["pid"];
        return;
      case wire::Kind::kOut:
      case wire::Kind::kErr:
        EXPECT_TRUE(exec.opened) << "output before kOpened";
        (header.kind == wire::Kind::kOut ? exec.out : exec.err) += payload;
        if (exec.gives_credit) credit(header.stream, payload.size());
        return;
      case wire::Kind::kCredit:
        exec.window += wire::decode_u32(payload).value();
        return pump(header.stream);
      case wire::Kind::kExit:
        exec.exit = value_in<wire::ExecExit>(payload, "exit").value();
        return;
      default:
        ADD_FAILURE() << "unexpected kind " << static_cast<int>(header.kind);
    }
  }

  void pump(std::uint32_t stream) {
    Exec& exec = execs[stream];
    while (!exec.input.empty() && exec.window > 0) {
      const std::size_t size = std::min<std::size_t>({exec.window, exec.input.size(), wire::kLargestPayload});
      link_.send(wire::Kind::kData, stream, std::string_view(exec.input).substr(0, size));
      exec.input.erase(0, size);
      exec.window -= size;
    }
    if (exec.input.empty() && std::exchange(exec.input_ends, false)) link_.send(wire::Kind::kEnd, stream);
  }

  loop::Loop& loop_;
  channel::Link link_;
  channel::Connections connections_;
  std::uint32_t next_stream_ = 1;
  std::function<bool()> condition_;
};

}  // namespace sbx::testing
