// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "archive/stream.h"
#include "archive/writer.h"
#include "base/result.h"
#include "images/image_config.h"
#include "images/layer_store.h"

namespace sbx::images {

// A template as an archive that `docker load`, podman and skopeo (docker-archive:) read:
//   manifest.json   [{"Config":"<hex>.json","RepoTags":["box:1"],"Layers":["<hex>.tar",...]}]
//   <hex>.json      the configuration
//   <hex>.tar       a layer, packed again
// A layer that was not packed by us first gets another digest by that, and the configuration names the new one.
//
//   TRY_ASSIGN(const Export file, Export::prepare(layers, config, "box:1"));
//   TRY(file.write(sink));
class Export {
 public:
  // Reads each layer once, because an archive says a file's size before the file. Keeps none in memory. `tag` may be
  // empty.
  static Result<Export> prepare(const LayerStore& layers, ImageConfig config, const std::string& tag);

  // Fails if a layer is not what it was.
  Result<> write(const archive::Sink& sink) const;

  std::shared_ptr<const void> hold{};  // while it lives, nothing of the template is removed

 private:
  struct Layer {
    std::string diff_id;  // in the store
    std::string digest;   // of the archive that it is packed to
    std::int64_t bytes = 0;
  };
  explicit Export(const LayerStore& layers) : layers_(&layers) {}
  Result<> write_layer(archive::ArchiveWriter& writer, const Layer& layer) const;

  const LayerStore* layers_;
  std::vector<Layer> parts_;
  std::string config_;
  std::string manifest_;
};

}  // namespace sbx::images
