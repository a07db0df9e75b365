// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace sbx::backends {

// The layers of a template as one tree, for a program that reads it by path and is the only one to see it:
//   TRY_ASSIGN(const LayersView view, LayersView::of(layers));
//   command.before_exec = view.mounting_on(layers.front());
class LayersView {
 public:
  static Result<LayersView> of(const std::vector<std::string>& layers);  // at least two, the lowest first

  // For Command::before_exec: mounts the view on a directory, in a mount namespace of the child's own. The view has to
  // live until the child has been started.
  std::function<int()> mounting_on(const std::string& directory) const;

 private:
  struct Layer {
    std::string path;
    Fd place;  // its number is what the options name
  };

  std::vector<Layer> layers_;
  std::string options_;
};

}  // namespace sbx::backends
