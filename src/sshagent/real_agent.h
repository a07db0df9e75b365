// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "loop/loop.h"
#include "sshagent/agent_message.h"
#include "sshagent/message_reader.h"
#include "streams/stream.h"

namespace sbx::sshagent {

// A connection to the user's own agent, which can be asked two things and no other. It answers in the order in which it
// was asked; one that does not answer in two minutes (a person may have to touch a key) is given up.
class RealAgent final : streams::Stream::Listener {
 public:
  using OnKeys = std::function<void(std::optional<std::vector<std::string>> keys)>;
  using OnSignature = std::function<void(std::optional<std::string> signature)>;

  // `on_end`, once: it has gone, or speaks nonsense; what it was asked is answered with nothing before. Not to be
  // destroyed in it.
  RealAgent(loop::Loop& loop, Fd socket, std::function<void()> on_end);
  RealAgent(const RealAgent&) = delete;
  RealAgent& operator=(const RealAgent&) = delete;

  void list(OnKeys done);
  void sign(const Sign& sign, OnSignature done);
  void end();  // what it was asked is answered with nothing; then on_end

 private:
  using OnAnswer = std::function<void(std::string_view message)>;  // empty: there is none

  void ask(const std::string& message, OnAnswer done);
  void watch_the_clock();

  void received(std::string_view bytes) override;
  void ended() override { end(); }
  void failed(const Error&) override { end(); }
  void drained() override {}

  loop::Loop& loop_;
  std::function<void()> on_end_;
  MessageReader reader_{kLargestAnswer};
  std::deque<OnAnswer> asked_;
  loop::Loop::Timer limit_;
  std::unique_ptr<streams::Stream> stream_;
};

}  // namespace sbx::sshagent
