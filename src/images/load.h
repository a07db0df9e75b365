// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "images/image_store.h"
#include "images/incoming.h"
#include "images/layer_store.h"
#include "images/progress.h"

namespace sbx::images {

// An image that came in an archive.
struct Loaded {
  std::string image;               // the digest of its configuration
  std::vector<std::string> names;  // Reference::whole()
  std::string source;              // "docker archive", for Name::source
};

// Takes all images of an archive into the stores, with the names that it has for them or, if `tag` is given, that one
// instead: then it may have one image only. What is no archive of images is the root file system of one, and needs a
// tag. Names are for the caller to set.
Result<std::vector<Loaded>> load(const Incoming& archive, const std::string& tag, LayerStore& layers,
                                 ImageStore& images, const Progress& progress);

}  // namespace sbx::images
