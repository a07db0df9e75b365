// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "images/blob_copy.h"
#include "images/image_proxy.h"
#include "images/image_store.h"
#include "images/layer_store.h"
#include "images/progress.h"

namespace sbx::images {

struct Pulled {
  std::string image;     // the digest of its configuration: what ImageStore knows it by
  std::string manifest;  // the digest that the registry knows it by
};

// Fetches an image, but for the layers that are here already. It is in the store when all of it is here; when it fails,
// the layers that came stay for the next try, until they are pruned. `keep`, if any, is asked for each that comes from
// a registry.
Result<Pulled> pull(const ImageLocation& location, LayerStore& layers, ImageStore& images, const Progress& progress,
                    const KeepBlob& keep = nullptr);

// The same for an image whose configuration is known, unless that is empty. It names the layers by their digests: if
// all of them are here, nothing of the archive is read, and docker knows the image by the digest that is returned.
Result<std::string> pull_from_archive(const ImageLocation& location, const std::string& config, LayerStore& layers,
                                      ImageStore& images, const Progress& progress);

}  // namespace sbx::images
