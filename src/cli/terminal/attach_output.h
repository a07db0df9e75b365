// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "base/terminal_modes.h"
#include "cli/terminal/link_watch.h"
#include "cli/terminal/replay_filter.h"
#include "wire/exec.h"
#include "wire/frame.h"
#include "wire/session.h"

namespace sbx::cli {

// Frames from a command, given in pieces of any size, to our standard output and error. Output is written straight from
// the piece, whether or not the rest of its frame is there yet. The descriptors are borrowed; writes block.
//
// On a terminal that the command uses (`on_terminal`), what it switches on is known, so that restore() can switch it
// off; and what a session printed before we came is shown without what should happen only once (ReplayFilter).
class AttachOutput {
 public:
  // Of the old pages only the last is asked about, once all that is old was shown.
  using OnLink = std::function<std::string(const std::string& address, LinkAge age)>;

  AttachOutput(const Fd& out, const Fd& err, bool on_terminal, OnLink on_link = {})
      : out_(out), err_(err), on_terminal_(on_terminal), on_link_(std::move(on_link)) {}

  Result<> feed(std::string_view bytes);
  const std::optional<wire::ExecExit>& exit() const { return exit_; }  // after the last frame
  bool closed() const { return closed_; }                              // EPIPE: the reader of our output has gone
  wire::SessionNumber session() const { return session_; }             // 0: it is none
  void restore();  // the terminal, to what it was before the command

 private:
  Result<> take_header(std::string_view& bytes);
  Result<> take_payload(std::string_view bytes);
  Result<> finish_frame();
  Result<> take_output(std::string_view bytes);
  Result<> show_links(std::string_view bytes);
  Result<> show_again(std::string_view bytes);
  Result<> finish_again();
  Result<> take_position(const wire::OutputPosition& position);
  Result<> write(const Fd& fd, std::string_view bytes);

  const Fd& out_;
  const Fd& err_;
  const bool on_terminal_;
  const OnLink on_link_;
  LinkWatch links_;
  std::string last_link_;  // of what was shown again
  TerminalModes modes_;
  ReplayFilter again_;
  std::int64_t old_ = 0;  // bytes to come that were printed before we came
  wire::SessionNumber session_ = 0;
  std::array<char, wire::kHeaderSize> head_{};
  std::size_t head_size_ = 0;
  wire::Header header_;
  std::size_t left_ = 0;  // of the payload
  std::string text_;      // payload of a frame that is not output
  std::optional<wire::ExecExit> exit_;
  bool closed_ = false;
};

}  // namespace sbx::cli
