// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/child.h"
#include "base/fd.h"
#include "base/result.h"
#include "layers/documents.h"
#include "layers/unpack.h"

namespace sbx::images {

// sandbox-layer (`program`) at work, as the guest's root: unpacks a layer that comes from a descriptor into a
// directory.
//   TRY_ASSIGN(Unpacker unpacker, Unpacker::start(program, blob, directory, most, lock));
//   blob.reset();
//   TRY_ASSIGN(const layers::Unpacked layer, unpacker.finish(progress));
class Unpacker {
 public:
  // `blob` and `lock` are copied: the lock is held for as long as it lives. `most`: bytes, unpacked.
  static Result<Unpacker> start(const std::string& program, const Fd& blob, const std::string& directory,
                                std::int64_t most, const Fd& lock);

  // What else it does with an archive, in the same jail; `directory` is an empty one. What the archive says of itself:
  static Result<layers::Documents> look(const std::string& program, const Fd& blob, const std::string& directory,
                                        std::int64_t most);
  // And the archive without its compression, as directory/plain.
  static Result<> write_plain(const std::string& program, const Fd& blob, const std::string& directory,
                              std::int64_t most);

  // To wait for what it says beside other things: readable until EOF.
  const Fd& output() const { return output_; }
  // Takes what it has said; false at EOF. Call it when output() is readable.
  Result<bool> listen(const layers::BytesRead& progress);
  // Waits for the end.
  Result<layers::Unpacked> finish(const layers::BytesRead& progress);

 private:
  Unpacker(Child child, Fd output) : child_(std::move(child)), output_(std::move(output)) {}
  Result<> line(const std::string& text, const layers::BytesRead& progress);

  Child child_;
  Fd output_;
  std::string partial_;
  std::optional<layers::Unpacked> unpacked_;
  std::optional<Error> error_;
};

}  // namespace sbx::images
