// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "images/bootstrap.h"
#include "images/build_log.h"
#include "images/layer_store.h"
#include "images/scratch.h"
#include "layers/unpack.h"

namespace sbx::images {

// Makes the recipe's layer in the store. Files on the way go to `scratch`, which every process that writes there keeps
// locked.
Result<layers::Unpacked> build_layer(const Recipe& recipe, const Scratch& scratch, LayerStore& store, BuildLog& log);

}  // namespace sbx::images
