// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "wire/exec.h"
#include "wire/frame.h"

namespace sbx::cli {

// Frames from a command, given in pieces of any size, to our standard output and error. Output is written straight from
// the piece, whether or not the rest of its frame is there yet. The descriptors are borrowed; writes block.
class AttachOutput {
 public:
  AttachOutput(const Fd& out, const Fd& err) : out_(out), err_(err) {}

  Result<> feed(std::string_view bytes);
  const std::optional<wire::ExecExit>& exit() const { return exit_; }  // after the last frame
  bool closed() const { return closed_; }                              // EPIPE: the reader of our output has gone

 private:
  Result<> take_header(std::string_view& bytes);
  Result<> take_payload(std::string_view bytes);
  Result<> finish_frame();
  Result<> write(const Fd& fd, std::string_view bytes);

  const Fd& out_;
  const Fd& err_;
  std::array<char, wire::kHeaderSize> head_{};
  std::size_t head_size_ = 0;
  wire::Header header_;
  std::size_t left_ = 0;  // of the payload
  std::string text_;      // payload of a frame that is not output
  std::optional<wire::ExecExit> exit_;
  bool closed_ = false;
};

}  // namespace sbx::cli
