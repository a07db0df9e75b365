// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "images/image_config.h"
#include "images/image_store.h"
#include "images/layer_store.h"
#include "images/progress.h"
#include "images/recipe.h"
#include "images/shared_work.h"
#include "wire/sandbox.h"

// Templates: the root file systems that sandboxes start from. Each is fetched or built once, kept by content and shared
// read-only.
namespace sbx::images {

struct Template {
  std::string name;                 // "shell"
  std::string digest;               // "sha256:<64 hex>", of its configuration
  std::vector<std::string> layers;  // digests, the lowest first; where their trees are: LayerStore::root
  RunConfig config;
};

// The templates in one directory (layout in ARCHITECTURE.md), shared by any number of threads and processes.
//   TRY_ASSIGN(const Template found, templates.get("shell", wire::Pull::kMissing, progress));
class Templates {
 public:
  // An absolute path. The directory is made when it is first needed; it may be a symbolic link to one. `layer_program`
  // is sandbox-layer.
  Templates(std::string directory, const std::string& layer_program);

  // The template, built first where needed: with kAlways anew, with kNever not at all. One that is there costs two
  // small reads and a stat for each layer. Of several callers one builds and the others wait for it and see its
  // progress. A failed or killed build leaves nothing that the next get() does not remove.
  Result<Template> get(const std::string& name, wire::Pull pull, const Progress& progress);

  // The names that get() knows.
  static std::vector<std::string> names();

 private:
  std::optional<Template> look_up(const std::string& name, const std::string& source) const;
  Result<Template> build(const Recipe& recipe, const std::string& key, bool anew, const Progress& progress);

  std::string directory_;
  LayerStore layers_;
  ImageStore images_;
  SharedWork<Template> work_;
};

}  // namespace sbx::images
