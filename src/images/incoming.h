// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "images/scratch.h"

namespace sbx::images {

// An archive that is being received, as a file beside the templates that is gone with the object, or one that a client
// has open.
//   TRY_ASSIGN(auto archive, templates.receive());
//   TRY(archive.write(piece));  // until there are no more
//   TRY_ASSIGN(const auto loaded, templates.load(archive, "", progress));
class Incoming {
 public:
  // It may have as many bytes as `most`: what leaves the host some room.
  static Result<Incoming> make(const std::string& templates, std::int64_t most);

  // The client's own file, which is read where it is. It has to be a file.
  static Result<Incoming> of_file(const std::string& templates, const Fd& file);

  Result<> write(std::string_view bytes);

  std::int64_t bytes() const { return bytes_; }
  // A path to it in this process and no other.
  std::string file() const { return "/proc/self/fd/" + std::to_string(fd_.get()); }
  const Scratch& scratch() const { return *scratch_; }

 private:
  Incoming(std::unique_ptr<Scratch> scratch, Fd fd, std::int64_t most)
      : scratch_(std::move(scratch)), fd_(std::move(fd)), most_(most) {}

  std::unique_ptr<Scratch> scratch_;
  Fd fd_;
  std::int64_t most_;
  std::int64_t bytes_ = 0;
};

}  // namespace sbx::images
