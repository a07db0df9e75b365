// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "images/incoming.h"
#include "images/packer.h"
#include "images/scratch.h"
#include "images/unpacker.h"
#include "layers/documents.h"
#include "layers/unpack.h"

namespace sbx::images {

// The layers of all images in one directory, each once, however many images have it:
//   layers/<hex>/root         its tree, in the form of overlayfs; never written to
//   layers/<hex>/layer.json   layers::Unpacked; what has it is whole
// Any number of threads and processes may use it.
class LayerStore {
 public:
  // `program`: sandbox-layer
  LayerStore(std::string templates, std::string program)
      : templates_(std::move(templates)), program_(std::move(program)) {}

  bool has(const std::string& diff_id) const;
  std::string root(const std::string& diff_id) const;
  Result<layers::Unpacked> details(const std::string& diff_id) const;
  std::vector<std::string> list() const;  // diff ids

  // Unpacks the layer that comes from `blob`, which may be compressed. If `expected` is given, any other is refused
  // with kInvalid. A layer that is there already is left as it is. A kill at any point leaves nothing but what is
  // swept.
  Result<layers::Unpacked> add(Fd blob, const std::string& expected, const layers::BytesRead& progress);

  // The same for a sandbox's changes, which may be none: then nothing is kept, and nothing is returned. `source` is
  // asked at the end whether all of it was sent (success also if we stopped reading): an archive that breaks off looks
  // like a shorter one.
  using Source = std::function<Result<>()>;
  Result<std::optional<layers::Unpacked>> add_changes(Fd blob, const Source& source, const layers::BytesRead& progress);

  // Packs a layer again. The archive is the one that was unpacked if it was made by us, and else one that unpacks to
  // the same.
  Result<Packer> pack(const std::string& diff_id) const;
  // Packs a directory of a sandbox's.
  Result<Packer> pack(const layers::PackJob& job, const std::function<int()>& before_exec) const;

  // The first half of add(): into scratch.path()/root. The second is adopt().
  Result<Unpacker> start_unpacking(const Fd& blob, const Scratch& scratch) const;

  // What an archive says of itself. It is read where layers are unpacked, in a jail.
  Result<layers::Documents> look_into(const Incoming& archive) const;
  // A file with the archive as it is without its compression; gone with the archive.
  Result<std::string> plain(const Incoming& archive) const;

  // So many bytes a layer may have, unpacked: what leaves the host some room.
  Result<std::int64_t> room() const;

  // For one that is unpacked already: moves scratch.path()/root to its place.
  Result<> adopt(const Scratch& scratch, const layers::Unpacked& layer);

  Result<> remove(const std::string& diff_id);  // of which no image and no sandbox is left

 private:
  std::string place(const std::string& diff_id) const;

  std::string templates_;
  std::string program_;
};

}  // namespace sbx::images
